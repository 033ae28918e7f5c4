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
 * asked in turns with the same question put plainly in SQL and with the least that a call takes: fails above twice the two together. How much of a core
 * 1,000 receivers cost who ask every 30 seconds: fails above 5 %. How far estimates of arrivals are off, held out, beside a straight line at a usual speed.
 *
 *   npm run bench -- dispatch [--orders 10000] [--vehicles 500] [--days 30] [--rounds 21] [--poll 30]
 */

const option = (name: string, fallback: number) => {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? fallback : Number(process.argv[at + 1])
}
const size = { orders: option('orders', 10_000), vehicles: option('vehicles', 500), days: option('days', 30) }
const [rounds, pollS] = [option('rounds', 21), option('poll', 30)]
const ports = { http: 15_740, mqtt: 15_741 }
const bound = { of: 'plain SQL and the least call', atMost: 2 }
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
  const ask = async (path: string) => {
    const start = performance.now()
    const answer = await fetch(`http://127.0.0.1:${ports.http}/app/api/v1/${path}`, {
      headers: { authorization: `Bearer ${token}` },
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text.slice(0, 300)}`)
    return { ms: performance.now() - start, bytes: text.length }
  }
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
    const baseline = best(plain) + best(least)
    const { text, failures: failed } = judgeRatio(name, best(ours), baseline, bound)
    console.log(
      `${name.padEnd(8)} best ${best(ours).toFixed(1)} ms, ${bytes} bytes; plain SQL ${best(plain).toFixed(1)} ms, least call ${best(least).toFixed(1)} ms: ${text}`,
    )
    failures.push(...failed)
  }
  await poll(receivers, [server.process.pid ?? 0, stage.databasePid()])
} finally {
  await stage.stop()
}
if (failures.length > 0) {
  console.error(`\nFAILED\n${failures.join('\n')}`)
  process.exitCode = 1
}

/** Receivers who look at their page, spread evenly over the time in which each asks once. */
async function poll(tokens: readonly string[], [serverPid = 0, databasePid = 0]: readonly number[]): Promise<void> {
  const everyMs = 30_000
  const used = () => cpuSeconds(serverPid) + cpuSeconds(databasePid, true)
  const count = async (wanted: number) => {
    const [began, before] = [performance.now(), used()]
    const asked: Promise<void>[] = []
    for (let n = 0; n < wanted; n++) {
      await sleep(Math.max(0, began + (n * everyMs) / 1000 - performance.now()))
      asked.push(look(tokens[n % tokens.length] ?? ''))
    }
    await Promise.all(asked)
    const seconds = (performance.now() - began) / 1000
    return (used() - before) / seconds
  }
  const idleBefore = used()
  await sleep(10_000)
  const idle = (used() - idleBefore) / 10
  await count(100)
  const share = (await count(Math.round((pollS * 1000 * 1000) / everyMs))) - idle
  console.log(
    `1,000 receivers who ask every 30 s: ${(share * 100).toFixed(1)} % of a core (at most 5), idle ${(idle * 100).toFixed(1)} %`,
  )
  if (share > 0.05) failures.push(`receivers: ${(share * 100).toFixed(1)} % of a core`)
}

async function look(token: string): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${ports.http}/app/api/v1/track`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`track: ${answer.status} ${text.slice(0, 200)}`)
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
