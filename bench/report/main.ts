import { onTwoCores } from '../pipeline/stage.ts'
import { reportOfDevice } from './device.ts'
import { reportsOfFleet } from './fleet.ts'

/*
 * Reports asked for over HTTP as a person does: how long they take, how much memory the process that writes them takes at
 * most, and how fast the server answers /health meanwhile. `device`: a history report of some 500 pages; `fleet`: a scheduled
 * report, and a group's, of 100 devices and a month.
 *
 *   npm run bench -- report [device | fleet] [--days 72] [--devices 100]
 */

onTwoCores()

const args = process.argv.slice(2)
const option = (name: string) => Number(args[args.indexOf(`--${name}`) + 1])
const isWanted = (part: 'device' | 'fleet') =>
  args.includes(part) || !(args.includes('device') || args.includes('fleet'))

const faults = [
  ...(isWanted('device') ? await reportOfDevice(option('days') || 72) : []),
  ...(isWanted('fleet') ? await reportsOfFleet(option('devices') || 100) : []),
]
for (const fault of faults) console.error(`FAILED: ${fault}`)
if (faults.length > 0) process.exitCode = 1
