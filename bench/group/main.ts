import pg from 'pg'
import { judgeRatio } from '../pipeline/ratio.ts'
import { openStage, settled } from '../pipeline/stage.ts'
import { load } from '../query/load.ts'

/*
 * A group of 500 of a company's 1,000 devices, with 20 million readings in the tables: what the server needs for its
 * overview, chart and figures. `first` is the first answer anybody gets to the question, `median` those after it. Beside
 * them, in the same run, the readings that a chart or the figures are of, plainly counted per device in SQL: the ratio says
 * what a figure in ms on a busy machine cannot.
 *
 *   npm run bench -- group [--readings 20000000] [--devices 1000] [--members 500] [--rounds 31]
 */

const option = (name: string, fallback: number) => {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? fallback : Number(process.argv[at + 1])
}
const [readings, devices, members] = [option('readings', 20e6), option('devices', 1000), option('members', 500)]
const rounds = option('rounds', 31)
const ports = { http: 15_760, mqtt: 15_761 }
const day = 86_400_000

interface Question {
  name: string
  path: string
  /** How many times plain SQL the first answer may take. */
  ofPlain?: number
  /** How many times the least a call takes the first answer may take. */
  ofLeast?: number
  /** Days of readings that it is of. */
  days?: number
}
const period = (ms: number) => {
  const to = Date.now()
  return `from=${new Date(to - ms).toISOString()}&to=${new Date(to).toISOString()}`
}
const questions: Question[] = [
  { name: 'the least a call takes', path: 'license/unknown' },
  { name: 'overview', path: 'groups/1/overview', ofLeast: 25 },
  { name: 'chart, last 24 h', path: `groups/1/chart?${period(day)}`, ofPlain: 4, days: 1 },
  { name: 'chart, 7 days', path: `groups/1/chart?${period(7 * day)}`, days: 7 },
  { name: 'chart, 30 days', path: `groups/1/chart?${period(30 * day)}`, days: 30 },
  { name: 'chart, a year', path: `groups/1/chart?${period(364 * day)}`, days: 364 },
  { name: 'chart of 200 lines, last 24 h', path: `groups/2/chart?${period(day)}` },
  { name: 'chart of 200 lines, 30 days', path: `groups/2/chart?${period(30 * day)}` },
  { name: 'figures of the last 24 h', path: 'groupStats/1', days: 1 },
  { name: 'statistics per device, a page of 25', path: 'group/temperature/1' },
  { name: 'devices, a page', path: 'groups/1/devices' },
  { name: 'list of groups', path: 'groups' },
]

const stage = await openStage(ports)
const failures: string[] = []
/** The usual time of the first question, ms. */
let leastMs = 0
const client = new pg.Client({ connectionString: stage.databaseUrl })
try {
  const started = Date.now()
  await client.connect()
  const loaded = await load(client, devices, readings)
  await makeGroups(client)
  const seconds = Math.round((Date.now() - started) / 1000)
  console.log(`${(loaded.readings / 1e6).toFixed(2)} million readings of ${devices} devices, loaded in ${seconds} s\n`)
  await stage.startServer()
  await settled(ports.http)
  for (const question of questions) await measure(client, question, loaded.token)
} finally {
  await client.end()
  await stage.stop()
}
if (failures.length > 0) {
  console.error(`\nFAILED\n${failures.join('\n')}`)
  process.exitCode = 1
}

/** Group 1 has the first `members` devices, group 2 two hundred. */
async function makeGroups(client: pg.Client) {
  await client.query(`begin; set local role app; set local app.company_id = '1'`)
  for (const [name, count] of [
    ['Many', members],
    ['Lines', Math.min(200, devices)],
  ] as const) {
    const { rows } = await client.query<{ id: string }>(
      'insert into groups (company_id, name, created_at, updated_at) values (1, $1, now(), now()) returning id',
      [name],
    )
    await client.query('insert into group_devices select 1, $1, id, now() from devices order by id limit $2', [
      rows[0]?.id,
      count,
    ])
  }
  await client.query('commit')
  await client.query('vacuum analyze groups')
  await client.query('vacuum analyze group_devices')
}

function median(times: number[]): number {
  return times.sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0
}

/** Times the same statistics in SQL, counted per device, as a person without rollups would. */
async function plainly(client: pg.Client, days: number): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < 3; round++) {
    const started = performance.now()
    await client.query('begin; set local role pipeline')
    await client.query(
      `select device_id, min(temperature_centi), max(temperature_centi), avg(temperature_centi) from readings
       where company_id = 1 and device_id in (select device_id from group_devices where group_id = 1)
         and measured_at >= now() - $1::int * interval '1 day' group by 1`,
      [days],
    )
    await client.query('commit')
    times.push(performance.now() - started)
  }
  return median(times)
}

async function measure(client: pg.Client, { name, path, ofPlain, ofLeast, days }: Question, token: string) {
  const times: number[] = []
  let bytes = 0
  for (let round = 0; round <= rounds; round++) {
    const answer = await fetch(`http://127.0.0.1:${ports.http}/app/api/v1/${path}`, {
      headers: { authorization: `Bearer ${token}` },
    })
    const text = await answer.text()
    bytes = text.length
    if (!answer.ok) throw new Error(`${name}: ${answer.status} ${text.slice(0, 300)}`)
    times.push(Number(/dur=([\d.]+)/.exec(answer.headers.get('server-timing') ?? '')?.[1]))
  }
  const [first = 0, ...later] = times
  const usual = median(later)
  const plain = days === undefined ? null : await plainly(client, days)
  leastMs ||= usual
  const verdicts = [
    ...(ofPlain === undefined || plain === null
      ? []
      : [judgeRatio(name, first, plain, { of: 'plain SQL', atMost: ofPlain })]),
    ...(ofLeast === undefined ? [] : [judgeRatio(name, first, leastMs, { of: 'the least call', atMost: ofLeast })]),
  ]
  const beside = plain === null ? '' : `plain SQL ${plain.toFixed(0)} ms, ${(plain / usual).toFixed(1)} x`
  console.log(
    `${name.padEnd(38)}first ${first.toFixed(1).padStart(7)} ms  median ${usual.toFixed(1).padStart(7)} ms  ${String(bytes).padStart(8)} bytes  ${beside.padEnd(28)} ${verdicts.map(({ text }) => text).join(', ')}`,
  )
  failures.push(...verdicts.flatMap((verdict) => verdict.failures))
}
