import type pg from 'pg'
import { judgeRatio } from '../pipeline/ratio.ts'
import { openStage, settled } from '../pipeline/stage.ts'
import { load } from './load.ts'
import { type AskPlainly, type PlainQuestion, plainChart, plainPath, timePlainly } from './plain.ts'
import { addVan } from './van.ts'

/*
 * How long answers take with much in the tables: a company of 10,000 devices, 20 million readings, and one device that
 * measured every 3 minutes for a year. Times are what the server, as `npm start` runs it, needed from the request to the
 * answer (Server-Timing); the whole round trip over loopback stands beside. Charts and paths are asked in turns with the same
 * question put plainly in SQL to the raw rows; the ratio of the best round trips says what ms on a busy machine cannot. One
 * van has a fix every 5 seconds for 30 days. Fails where a question takes more times the plain one, or the least that a call
 * takes, than it may; both are asked in turns with the question.
 *
 *   npm run bench -- query [--readings 20000000] [--devices 10000] [--rounds 41]
 */

const option = (name: string, fallback: number) => {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? fallback : Number(process.argv[at + 1])
}
const [readings, devices, rounds] = [option('readings', 20e6), option('devices', 10_000), option('rounds', 41)]
const ports = { http: 15_720, mqtt: 15_721 }
const warmUps = 10
/** Plain SQL may take a second. */
const plainRounds = 15

interface Question {
  name: string
  path(deviceId: number): string
  /** How many times plain SQL the best round trip may take. */
  ofPlain?: number
  /** How many times the least a call takes the median may be. */
  ofLeast?: number
  /** PlainQuestion of the van, not of the first device. */
  ofVan?: boolean
  plainly?: { ask: AskPlainly; asked: PlainQuestion }
}

/** A question about the last `days`. */
function history(call: '' | '/chart' | '/map-points', days: number, more: Record<string, number> = {}) {
  const to = Date.now()
  const asked = { from: new Date(to - days * 86_400_000).toISOString(), to: new Date(to).toISOString(), ...more }
  const search = new URLSearchParams(Object.entries(asked).map(([name, value]) => [name, String(value)]))
  const path = (id: number) => `devices/${id}/history${call}?${search}`
  const ask = { '': undefined, '/chart': plainChart, '/map-points': plainPath }[call]
  // 500 points are the call's own choice.
  return { path, ...(ask && { plainly: { ask, asked: { points: 500, ...asked } } }) }
}

/** As the playback on the map asks. */
const ofPlayback = { points: 2000 }

const leastPath = 'license/unknown'

const questions: Question[] = [
  { name: 'the least a call takes', path: () => leastPath },
  { name: 'chart of a year', ...history('/chart', 364), ofPlain: 0.6 },
  { name: 'chart of the last 24 h, raw', ...history('/chart', 1), ofLeast: 7 },
  { name: 'chart of 30 days', ...history('/chart', 30) },
  { name: 'chart of 24 h, a reading every 5 s', ...history('/chart', 1), ofVan: true },
  { name: 'chart of 30 days, a reading every 5 s', ...history('/chart', 30), ofVan: true },
  { name: 'readings of 24 h, first page', ...history('', 1), ofLeast: 5 },
  { name: 'readings of a year, page 6,000', ...history('', 364, { page: 6000 }) },
  { name: 'path of 24 h', ...history('/map-points', 1) },
  { name: 'path of 24 h, a fix every 5 s', ...history('/map-points', 1, ofPlayback), ofVan: true },
  { name: 'path of 30 days, a fix every 5 s', ...history('/map-points', 30, ofPlayback), ofVan: true },
  { name: 'path of a year', ...history('/map-points', 364) },
  { name: 'device list', path: () => 'devices', ofLeast: 12 },
  { name: 'device list with sparklines', path: () => 'devices?sparkline=true', ofLeast: 12 },
  { name: 'device list, page 300, by temperature', path: () => 'devices?sort=-temperature&page=300' },
  { name: 'device list, search', path: () => 'devices?search=999' },
  { name: 'summary', path: () => 'devices/summary' },
  { name: 'dashboard', path: () => 'users/dashboard' },
]

const stage = await openStage(ports)
const failures: string[] = []
try {
  const started = Date.now()
  const { client } = stage
  const loaded = await load(client, devices, readings)
  const vanId = await addVan(client, 1)
  const seconds = Math.round((Date.now() - started) / 1000)
  console.log(`${(loaded.readings / 1e6).toFixed(2)} million readings of ${devices} devices, loaded in ${seconds} s\n`)
  // The least call may be tried seldom.
  await stage.startServer({ RATE_LIMIT_LICENCE: '9000000/9000000/60' })
  await settled(ports.http)
  for (const question of questions)
    await measure(client, question, { token: loaded.token, deviceId: question.ofVan ? vanId : loaded.deviceId })
} finally {
  await stage.stop()
}
if (failures.length > 0) {
  console.error(`\nFAILED\n${failures.join('\n')}`)
  process.exitCode = 1
}

interface Asker {
  token: string
  deviceId: number
}

async function measure(
  client: pg.Client,
  { name, path, ofPlain, ofLeast, plainly }: Question,
  { token, deviceId }: Asker,
) {
  const times: number[] = []
  const trips: number[] = []
  const plain: number[] = []
  const least: number[] = []
  let bytes = 0
  const ask = async (asked: string) => {
    const url = `http://127.0.0.1:${ports.http}/app/api/v1/${asked}`
    const start = performance.now()
    const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${name}: ${answer.status} ${text.slice(0, 300)}`)
    const ms = Number(/dur=([\d.]+)/.exec(answer.headers.get('server-timing') ?? '')?.[1])
    return { text, ms, trip: performance.now() - start }
  }
  for (let round = -warmUps; round < rounds; round++) {
    const { text, ms, trip } = await ask(path(deviceId))
    if (round >= 0) {
      trips.push(trip)
      times.push(ms)
    }
    if (ofLeast !== undefined) least.push((await ask(leastPath)).ms)
    bytes = text.length
    if (!plainly || round < -1 || round >= plainRounds) continue
    const { payload } = JSON.parse(text) as { payload: unknown }
    const plainMs = await timePlainly(client, plainly.ask(payload, deviceId, plainly.asked))
    if (round >= 0) plain.push(plainMs)
  }
  const part = (share: number, of: number[]) => of.sort((a, b) => a - b)[Math.floor((of.length - 1) * share)] ?? 0
  const at = (share: number) => part(share, times)
  // The best of each, of as many rounds: what else the machine does only lengthens them.
  const best = Math.min(...trips.slice(0, plain.length))
  const bestPlain = Math.min(...plain)
  const ratio = plainly
    ? `best ${best.toFixed(1)} ms, ${(best / bestPlain).toFixed(2)} times plain SQL (${bestPlain.toFixed(1)} ms)  `
    : ''
  const trip = part(0.5, trips)
  const verdicts = [
    ...(ofPlain === undefined ? [] : [judgeRatio(name, best, bestPlain, { of: 'plain SQL', atMost: ofPlain })]),
    ...(ofLeast === undefined
      ? []
      : [judgeRatio(name, at(0.5), part(0.5, least), { of: 'the least call', atMost: ofLeast })]),
  ]
  console.log(
    `${name.padEnd(40)}median ${at(0.5).toFixed(1).padStart(6)} ms  p95 ${at(0.95).toFixed(1).padStart(6)} ms  round trip ${trip.toFixed(1).padStart(6)} ms  ${String(bytes).padStart(7)} bytes  ${ratio}${verdicts.map(({ text }) => text).join(', ')}`,
  )
  failures.push(...verdicts.flatMap((verdict) => verdict.failures))
}
