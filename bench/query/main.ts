import pg from 'pg'
import { openStage, settled } from '../road/stage.ts'
import { load } from './load.ts'

/*
 * How long answers take with much in the tables: a company of 10,000 devices, 20 million readings, and one device that
 * measured every 3 minutes for a year. Times are what the server, as `npm start` runs it, needed from the request to the
 * answer (Server-Timing); the whole round trip over loopback stands beside. Fails where a budget is not kept.
 *
 *   npm run bench -- query [--readings 20000000] [--devices 10000] [--rounds 41]
 */

const option = (name: string, fallback: number) => {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? fallback : Number(process.argv[at + 1])
}
const [readings, devices, rounds] = [option('readings', 20e6), option('devices', 10_000), option('rounds', 41)]
const ports = { http: 15_720, mqtt: 15_721 }
const day = 86_400_000
const warmUps = 10

interface Question {
  name: string
  path(deviceId: number): string
  /** Median, ms. */
  budget?: number
}

const period = (ms: number, more = '') => {
  const to = Date.now()
  return `from=${new Date(to - ms).toISOString()}&to=${new Date(to).toISOString()}${more}`
}
const history = (path: string, ms: number, more?: string) => (id: number) =>
  `devices/${id}/history${path}?${period(ms, more)}`

const questions: Question[] = [
  { name: 'the least a call takes', path: () => 'license/unknown' },
  { name: 'chart of a year', path: history('/chart', 364 * day), budget: 15 },
  { name: 'chart of the last 24 h, raw', path: history('/chart', day), budget: 10 },
  { name: 'chart of 30 days', path: history('/chart', 30 * day) },
  { name: 'readings of 24 h, first page', path: history('', day), budget: 10 },
  { name: 'readings of a year, page 6,000', path: history('', 364 * day, '&page=6000') },
  { name: 'path of 24 h', path: history('/map-points', day) },
  { name: 'path of a year', path: history('/map-points', 364 * day) },
  { name: 'device list', path: () => 'devices', budget: 30 },
  { name: 'device list with sparklines', path: () => 'devices?sparkline=true', budget: 30 },
  { name: 'device list, page 300, by temperature', path: () => 'devices?sort=-temperature&page=300' },
  { name: 'device list, search', path: () => 'devices?search=999' },
  { name: 'summary', path: () => 'devices/summary' },
  { name: 'dashboard', path: () => 'users/dashboard' },
]

const stage = await openStage(ports)
const failures: string[] = []
try {
  const started = Date.now()
  const client = new pg.Client({ connectionString: stage.databaseUrl })
  await client.connect()
  const loaded = await load(client, devices, readings)
  await client.end()
  const seconds = Math.round((Date.now() - started) / 1000)
  console.log(`${(loaded.readings / 1e6).toFixed(2)} million readings of ${devices} devices, loaded in ${seconds} s\n`)
  await stage.startServer()
  await settled(ports.http)
  for (const question of questions) await measure(question, loaded)
} finally {
  await stage.stop()
}
if (failures.length > 0) {
  console.error(`\nFAILED\n${failures.join('\n')}`)
  process.exitCode = 1
}

async function measure({ name, path, budget }: Question, { token, deviceId }: { token: string; deviceId: number }) {
  const times: number[] = []
  const trips: number[] = []
  let bytes = 0
  for (let round = -warmUps; round < rounds; round++) {
    const url = `http://127.0.0.1:${ports.http}/app/api/v1/${path(deviceId)}`
    const start = performance.now()
    const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
    const text = await answer.text()
    if (round >= 0) {
      trips.push(performance.now() - start)
      times.push(Number(/dur=([\d.]+)/.exec(answer.headers.get('server-timing') ?? '')?.[1]))
    }
    bytes = text.length
    if (!answer.ok) throw new Error(`${name}: ${answer.status} ${text.slice(0, 300)}`)
  }
  const part = (share: number, of: number[]) => of.sort((a, b) => a - b)[Math.floor((of.length - 1) * share)] ?? 0
  const at = (share: number) => part(share, times)
  const verdict = budget === undefined ? '' : at(0.5) <= budget ? `ok (${budget} ms)` : `MISSED (${budget} ms)`
  console.log(
    `${name.padEnd(40)}median ${at(0.5).toFixed(1).padStart(6)} ms  p95 ${at(0.95).toFixed(1).padStart(6)} ms  round trip ${part(0.5, trips).toFixed(1).padStart(6)} ms  ${String(bytes).padStart(7)} bytes  ${verdict}`,
  )
  if (verdict.startsWith('MISSED')) failures.push(`${name}: ${at(0.5).toFixed(1)} ms, more than ${budget} ms`)
}
