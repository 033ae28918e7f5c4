import { setTimeout as sleep } from 'node:timers/promises'
import { judgeRatio } from '../pipeline/ratio.ts'
import { openStage, settled } from '../pipeline/stage.ts'
import { compareClocks, sweep } from './clocks.ts'
import { type plainQuestions, timePlain, timeProcess, timeReadings } from './plain.ts'
import { bringLate, makeSeason, type Season } from './scene.ts'

/*
 * A season of exports in a real PostgreSQL: containers of 12 probes, 24 days at sea, with gaps, warm hours, and a third of all batches late, in two
 * lots. After each lot the job works out the cold treatments: clocks of the table must equal those worked out anew from the readings. The report of one
 * shipment must take at most 25 times a process of Node and its readings by plain SQL (the goal is 10 s, which is printed), and the list and the map of shipments must take less than twice a plain query of the same rows and the least call.
 *
 *   npm run bench -- season [--containers 500] [--probes 12] [--days 24] [--interval 30] [--rounds 21]
 */

const option = (name: string, fallback: number) => {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? fallback : Number(process.argv[at + 1])
}
const size = {
  ...{ containers: option('containers', 500), probes: option('probes', 12), days: option('days', 24) },
  intervalMin: option('interval', 30),
}
const rounds = option('rounds', 21)
const ports = { http: 15_760, mqtt: 15_761 }
const bound = { of: 'plain SQL and the least call', atMost: 2 }
const reportBound = { of: 'a Node process and its readings by plain SQL', atMost: 25 }
const reportGoalS = 10
const failures: string[] = []
const best = (times: number[]) => Math.min(...times)
const begun = performance.now()
const passed = () => `${Math.round((performance.now() - begun) / 1000)} s`

const stage = await openStage(ports)
try {
  const season = await makeSeason(stage.client, size)
  console.log(
    `${size.containers} containers, ${size.probes} probes, ${size.days} days, a reading every ${size.intervalMin} min: made after ${passed()}`,
  )
  await tellClocks('in time', season.to)
  for (const lot of [1, 0] as const) {
    const late = await bringLate(stage.client, season, lot)
    await tellClocks(`with ${late} late readings`, new Date(season.to.getTime() + (lot === 1 ? 7_200_000 : 14_400_000)))
  }
  await stage.client.query('vacuum analyze')
  await stage.startServer({ RATE_LIMIT_LICENCE: '9000000/9000000/60', RATE_LIMIT_SHARE: '9000000/9000000/60' })
  await settled(ports.http)
  await tellReport(season)
  await tellRatios(season)

  async function tellClocks(which: string, now: Date) {
    const seconds = await sweep(stage.databaseUrl, now)
    const { clocks, differing, states, readings } = await compareClocks(stage.client, season, now)
    const shares = [...states].map(([name, n]) => `${name}: ${n}`).join('; ')
    console.log(
      `clocks ${which}: ${clocks} worked out in ${seconds.toFixed(1)} s (${((1000 * seconds) / clocks).toFixed(0)} ms each); ${differing.length} differ from a recomputation from ${readings} readings (${shares}), after ${passed()}`,
    )
    if (clocks !== size.containers) failures.push(`clocks ${which}: ${clocks} of ${size.containers}`)
    if (differing.length > 0)
      failures.push(`clocks ${which}: ${differing.length} differ, shipments ${differing.slice(0, 5)}`)
  }
} finally {
  await stage.stop()
}
console.log(`took ${passed()}`)
if (failures.length > 0) {
  console.error(`\nFAILED\n${failures.join('\n')}`)
  process.exitCode = 1
}

async function ask(token: string, path: string, body?: object) {
  const start = performance.now()
  const answer = await fetch(`http://127.0.0.1:${ports.http}/app/api/v1/${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text.slice(0, 300)}`)
  return { ms: performance.now() - start, bytes: text.length, text }
}

/**
 * From the request to the file, some shipments one after the other. What no report does without is timed in between: a process, and the readings
 * of the shipment by plain SQL.
 */
async function tellReport({ token, companyId }: Season) {
  const { data } = JSON.parse((await ask(token, 'export/shipments?perPage=25')).text).payload
  const [times, least]: [number[], number[]] = [[], []]
  let [bytes, pages] = [0, 0]
  for (const { id } of data.slice(0, 5)) {
    const started = performance.now()
    let { payload: report } = JSON.parse(
      (await ask(token, 'export/shipments/download-report', { shipmentId: id, recipients: [] })).text,
    )
    while (report.state !== 'ready') {
      if (report.state === 'failed') throw new Error('the report failed')
      await sleep(50)
      report = JSON.parse((await ask(token, `export/shipment-reports/${report.id}`)).text).payload
    }
    times.push((performance.now() - started) / 1000)
    least.push(((await timeProcess()) + (await timeReadings(stage.client, companyId, id))) / 1000)
    ;[bytes, pages] = [report.sizeBytes, report.pages]
  }
  const { text, failures: failed } = judgeRatio('report', best(times), best(least), reportBound)
  console.log(
    `report of one shipment: ${times.map((s) => s.toFixed(1)).join(', ')} s (goal ${reportGoalS}), ${pages} pages, ${bytes} bytes; best ${best(times).toFixed(2)} s, baseline ${best(least).toFixed(2)} s: ${text}`,
  )
  failures.push(...failed)
}

async function tellRatios({ token, companyId }: Season) {
  const paths: Record<keyof typeof plainQuestions, string> = {
    list: 'export/shipments?perPage=25',
    map: 'export/shipments/map',
  }
  for (const name of Object.keys(paths) as (keyof typeof paths)[]) {
    const [ours, plain, least]: [number[], number[], number[]] = [[], [], []]
    let bytes = 0
    for (let round = -3; round < rounds; round++) {
      const answer = await ask(token, paths[name])
      bytes = answer.bytes
      const plainMs = await timePlain(stage.client, companyId, name)
      const leastMs = (await ask(token, 'license/unknown')).ms
      if (round < 0) continue
      ours.push(answer.ms)
      plain.push(plainMs)
      least.push(leastMs)
    }
    const { text, failures: failed } = judgeRatio(name, best(ours), best(plain) + best(least), bound)
    console.log(
      `${name.padEnd(8)} best ${best(ours).toFixed(1)} ms, ${bytes} bytes; plain SQL ${best(plain).toFixed(1)} ms, least call ${best(least).toFixed(1)} ms: ${text}`,
    )
    failures.push(...failed)
  }
}
