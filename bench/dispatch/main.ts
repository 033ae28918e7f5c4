import { get, type IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { type RoadId, roads } from '../../simulator/src/routes/roads.ts'
import { cpuSeconds } from '../pipeline/cpu.ts'
import { judgeRatio } from '../pipeline/ratio.ts'
import { openStage, settled } from '../pipeline/stage.ts'
import { dataIsThere } from '../replay/data.ts'
import { later, leftOut, type Score, scoreOf } from './held-out.ts'
import { type plainQuestions, timePlain } from './plain.ts'
import { makeScene } from './scene.ts'
import { realTrips, simulatedTrips } from './trips.ts'

/*
 * Dispatch with 10,000 orders a day for 500 vehicles. How long the list, the summary, the map and the board take from the request to the answer,
 * asked in turns with the same question put plainly in SQL and with the least that a call takes: tells both ratios, fails above twice plain SQL, or, for the calls that
 * do not reach that, above twice the two together. How much of a core
 * 1,000 open pages of receivers cost, each of which asks when the server says: fails above 5 %. How far estimates of arrivals are off, held out, beside a straight line at a usual speed.
 *
 *   npm run bench -- dispatch [--orders 10000] [--vehicles 500] [--days 30] [--rounds 21] [--poll 120, 0: no pages of receivers]
 */

const option = (name: string, fallback: number) => {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? fallback : Number(process.argv[at + 1])
}
const size = { orders: option('orders', 10_000), vehicles: option('vehicles', 500), days: option('days', 30) }
const [rounds, pollS] = [option('rounds', 21), option('poll', 120)]
const ports = { http: 15_740, mqtt: 15_741 }
const strictBound = { of: 'plain SQL', atMost: 2 }
const lenientBound = { of: 'plain SQL and the least call', atMost: 2 }
/** Calls that are judged by plain SQL alone. List and map do not reach that on a busy machine: they are judged together with the least call. */
const isStrict: Record<keyof typeof plainQuestions, boolean> = { list: false, summary: true, map: false, board: true }
const failures: string[] = []

const paths: Record<keyof typeof plainQuestions, string> = {
  list: 'dispatch/orders',
  summary: 'dispatch/orders/summary',
  map: 'dispatch/map',
  board: 'dispatch/board',
}
const best = (times: number[]) => Math.min(...times)

tellScores()
const stage = await openStage(ports)
try {
  const started = Date.now()
  const { companyId, token, receivers } = await makeScene(stage.client, size)
  console.log(`${size.orders * size.days} orders made in ${Math.round((Date.now() - started) / 1000)} s`)
  const server = await stage.startServer({
    RATE_LIMIT_LICENCE: '9000000/9000000/60',
    RATE_LIMIT_SHARE: '9000000/9000000/60',
  })
  await settled(ports.http)
  const ask = (path: string) => timeAnswer(path, token)
  for (const name of Object.keys(paths) as (keyof typeof paths)[]) {
    const [ours, plain, least]: [number[], number[], number[]] = [[], [], []]
    let bytes = 0
    for (let round = -3; round < rounds; round++) {
      const answer = await ask(paths[name])
      bytes = answer.bytes
      const plainMs = await timePlain(stage.client, companyId, name)
      const leastMs = (await ask('license/unknown')).ms
      if (round < 0) continue
      ours.push(answer.ms)
      plain.push(plainMs)
      least.push(leastMs)
    }
    const strict = judgeRatio(name, best(ours), best(plain), strictBound)
    const lenient = judgeRatio(name, best(ours), best(plain) + best(least), lenientBound)
    console.log(
      `${name.padEnd(8)} best ${best(ours).toFixed(1)} ms, ${bytes} bytes; plain SQL ${best(plain).toFixed(1)} ms, least call ${best(least).toFixed(1)} ms: ${strict.text}; ${lenient.text}`,
    )
    failures.push(...(isStrict[name] ? strict : lenient).failures)
  }
  if (pollS > 0) await poll(receivers, companyId, [server.process.pid ?? 0, stage.databasePid()])
} finally {
  await stage.stop()
}
if (failures.length > 0) {
  console.error(`\nFAILED\n${failures.join('\n')}`)
  process.exitCode = 1
}

/** Milliseconds until the last byte of an answer, and its bytes, compressed as browsers take it. What a client makes of it is no time of ours. */
async function timeAnswer(path: string, token: string): Promise<{ ms: number; bytes: number }> {
  const start = performance.now()
  const answer = await new Promise<IncomingMessage>((done, fail) => {
    const url = `http://127.0.0.1:${ports.http}/app/api/v1/${path}`
    get(url, { headers: { authorization: `Bearer ${token}`, 'accept-encoding': 'gzip' } }, done).on('error', fail)
  })
  let bytes = 0
  for await (const part of answer) bytes += part.length
  if (answer.statusCode !== 200) throw new Error(`${path}: ${answer.statusCode}`)
  return { ms: performance.now() - start, bytes }
}

/**
 * Receivers whose page is open: each asks when the server says, with the stamp of what is on the screen, while every vehicle tells its place and
 * temperature every five minutes. That they open their pages is told by itself.
 */
async function poll(tokens: readonly string[], companyId: number, pids: readonly number[]): Promise<void> {
  const [serverPid = 0, databasePid = 0] = pids
  const used = () => cpuSeconds(serverPid) + cpuSeconds(databasePid, true)
  const share = async (seconds: number, work: () => Promise<void>) => {
    const [began, before] = [performance.now(), used()]
    await work()
    await sleep(Math.max(0, began + seconds * 1000 - performance.now()))
    return (used() - before) / ((performance.now() - began) / 1000)
  }
  // A whole minute: arrivals are estimated in each.
  const idle = await share(60, async () => {})
  const pages: { token: string; stamp: string; dueAt: number }[] = []
  const opening = await share(30, async () => {
    for (const [n, token] of tokens.entries()) {
      const { stamp, againS } = await look({ token, isOpening: true })
      pages.push({ token, stamp: stamp ?? '', dueAt: performance.now() + (againS * 1000 * n) / tokens.length })
    }
  })
  let [asked, unchanged] = [0, 0]
  const polling = await share(pollS, async () => {
    const until = performance.now() + pollS * 1000
    const vehicles = tellPlaces(companyId, until)
    while (performance.now() < until) {
      const due = pages.filter(({ dueAt }) => dueAt <= performance.now())
      for (const page of due) {
        const { stamp, againS, isUnchanged } = await look({ token: page.token, stamp: page.stamp })
        page.dueAt = performance.now() + againS * 1000
        page.stamp = stamp ?? page.stamp
        asked += 1
        if (isUnchanged) unchanged += 1
      }
      await sleep(20)
    }
    await vehicles
  })
  const percent = (figure: number) => (figure * 100).toFixed(1)
  const cost = polling - idle
  console.log(
    `${tokens.length} receivers' pages open: ${percent(cost)} % of a core (at most 5), idle ${percent(idle)} %; ${(asked / pollS).toFixed(1)} questions a second, ${percent(unchanged / Math.max(1, asked))} % unchanged. They opened them within half a minute: ${percent(opening - idle)} %`,
  )
  if (cost > 0.05) failures.push(`receivers: ${percent(cost)} % of a core`)
}

/** Every vehicle tells another place and temperature once in five minutes. */
async function tellPlaces(companyId: number, until: number): Promise<void> {
  const client = await stage.connect()
  for (let turn = 0; performance.now() < until; turn = (turn + 1) % 60) {
    await client.query('begin; set local role pipeline')
    await client.query(
      `update device_latest set measured_at = now(), received_at = now(), temperature_at = now(), position_at = now(),
         temperature_centi = temperature_centi + 1, lat_e7 = lat_e7 - 1000 where company_id = $1 and device_id * 37 % 60 = $2`,
      [companyId, turn],
    )
    await client.query('commit')
    await sleep(5_000)
  }
  await client.end()
}

interface Looked {
  stamp?: string
  againS: number
  isUnchanged?: true
}

async function look(body: object): Promise<Looked> {
  const answer = await fetch(`http://127.0.0.1:${ports.http}/app/api/v1/track`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`track: ${answer.status} ${text.slice(0, 200)}`)
  return JSON.parse(text).payload
}

function tellScores() {
  const tell = (name: string, score: Score) =>
    console.log(
      `${name.padEnd(24)}${score.estimates} estimates, ${score.withinPct} % of arrivals within P20 to P80 (width ${score.width} min); error median ${score.error}, mean ${score.meanError} min; straight line ${score.straightError}, ${score.straightMeanError} min`,
    )
  const ids = Object.keys(roads) as RoadId[]
  const all = ids.map((id) => later(simulatedTrips(id, 60), 10_000))
  for (const [index, id] of ids.entries()) tell(id, scoreOf(all[index] ?? []))
  tell('all simulated vans', scoreOf(all.flat()))
  if (dataIsThere()) tell('real trips', scoreOf(leftOut(realTrips(), 300)))
  else console.log('real trips skipped: shared/data is absent')
}
