import { setTimeout as sleep } from 'node:timers/promises'
import { addAlarms } from '../pipeline/alarms.ts'
import { makeFleet } from '../pipeline/fleet.ts'
import { intervalMs } from '../pipeline/readings.ts'
import { type BenchServer, ended, openStage, type Stage } from '../pipeline/stage.ts'
import { httpDevice, mqttDevice } from './device.ts'
import { reloadFleet } from './reload.ts'
import { verify } from './verify.ts'

/*
 * Kills the server (SIGKILL, 22 times) and PostgreSQL (4 times) under load by HTTP and MQTT, with late and repeated
 * readings. Every acknowledged reading must be there exactly once with its value, and rollups and excursions must equal a
 * recomputation from the rows. Alarms with delays watch all the while: each trigger is there and told once. Then the negative control: a server that acknowledges early must fail the same check.
 *
 *   npm run bench -- kill [--kills 22] [--database-kills 4] [--no-control]
 *   npm run bench -- kill reload [--devices 10000]   a restart of PostgreSQL alone: seconds until the whole fleet is heard again
 */

const ports = { http: 15220, mqtt: 15221 }
const devicesEach = 12
const args = process.argv.slice(2)
const numberOf = (name: string, standard: number) =>
  args.includes(name) ? Number(args[args.indexOf(name) + 1]) : standard
// Each kill makes the server log what it must; without a word where nothing is wrong.
process.env.LOG_LEVEL ??= 'fatal'
const early = new URL('early-server.ts', import.meta.url).pathname

interface Verdict {
  serverKills: number
  databaseKills: number
  /** How often the server ended without being killed. */
  crashes: number
  acknowledged: number
  stored: number
  missing: number
  wrong: number
  differences: number
  triggers: number
  triggerDifferences: number
}

if (args.includes('reload')) {
  const faults = await reloadFleet(ports, numberOf('--devices', 10_000))
  for (const fault of faults) console.error(`FAILED: ${fault}`)
  process.exit(faults.length > 0 ? 1 : 0)
}

const real = await run(numberOf('--kills', 22), numberOf('--database-kills', 4))
console.table(real)
if (real.missing + real.wrong + real.differences + real.triggerDifferences + real.crashes > 0) {
  console.error(
    'FAILED: an acknowledged reading was lost or changed, what is derived differs, or the server ended by itself',
  )
  process.exitCode = 1
}
if (!args.includes('--no-control')) {
  const control = await run(6, 0, early)
  console.log('Negative control, acknowledging early:')
  console.table(control)
  if (control.missing === 0) {
    console.error('FAILED: the harness did not notice that early acknowledgement loses readings')
    process.exitCode = 1
  }
}

async function run(serverKills: number, databaseKills: number, entry?: string): Promise<Verdict> {
  const stage = await openStage(ports)
  try {
    const fleet = await makeFleet(stage.client, 4, devicesEach * 2)
    await addAlarms(stage.client, [...new Set(fleet.map(({ companyId }) => companyId))])
    let stopping = false
    const firstAt = Math.floor(Date.now() / 1000) * 1000 - 300_000 * intervalMs
    let server = await stage.startServer({}, [], entry)
    const devices = fleet.map((device, index) =>
      (index < devicesEach ? httpDevice : mqttDevice)(
        device,
        index,
        index < devicesEach ? ports.http : ports.mqtt,
        Math.max(firstAt, Date.now() - 600 * 86_400_000),
        () => stopping,
      ),
    )
    const every = Math.floor(serverKills / (databaseKills + 1)) || 1
    let [databaseKilled, crashes] = [0, 0]
    for (let kill = 1; kill <= serverKills; kill++) {
      await sleep(500 + Math.random() * 700)
      if (kill % every === 0 && databaseKilled < databaseKills) {
        process.kill(stage.databasePid(), 'SIGKILL')
        databaseKilled++
        await sleep(1_500)
      }
      if (hasEnded(server)) crashes++
      await ended(server.process, 'SIGKILL')
      server = await restart(stage, entry)
    }
    await sleep(1_000)
    stopping = true
    if (hasEnded(server)) {
      crashes++
      server = await restart(stage, entry)
    }
    await Promise.all(devices.map(({ done }) => done))
    await ended(server.process, 'SIGTERM')
    return { serverKills, databaseKills: databaseKilled, crashes, ...(await verify(stage, devices)) }
  } finally {
    await stage.stop()
  }
}

function hasEnded({ process: child }: BenchServer): boolean {
  return child.exitCode !== null || child.signalCode !== null
}

async function restart(stage: Stage, entry?: string): Promise<BenchServer> {
  for (;;) {
    try {
      return await stage.startServer({}, [], entry)
    } catch (error) {
      console.error(`starting again: ${error instanceof Error ? error.message : error}`)
    }
  }
}
