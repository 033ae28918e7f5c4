import type { BackTest } from '@isotherm/contract/back-test.ts'
import { judgeRatio } from '../pipeline/ratio.ts'
import { openStage, settled } from '../pipeline/stage.ts'
import { judgeEverything } from './everything.ts'
import { load } from './load.ts'

/*
 * How long a back-test takes: 30 days of 700 devices that measure every 3 minutes, 10 million readings. The whole round trip
 * over HTTP, all answers of it where it takes several; beside it what reading and judging every row takes.
 *
 *   npm run bench -- back-test [--devices 700] [--days 30] [--rounds 7] [--only-needed]
 */

const option = (name: string, fallback: number) => {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? fallback : Number(process.argv[at + 1])
}
const [devices, days, rounds] = [option('devices', 700), option('days', 30), option('rounds', 7)]
const ports = { http: 15_980, mqtt: 15_981 }
const bound = { of: 'every reading judged plainly', atMost: 0.2 }

const value = (more: object) => ({ kind: 'value', ...more })
const questions: { name: string; rule: object; judged?: boolean; more?: object }[] = [
  { name: 'above 8 °C', rule: value({ temperatureMaxC: 8 }), judged: true },
  {
    name: '2 to 8 °C, 30 min, deadband 0.5',
    rule: value({ temperatureMinC: 2, temperatureMaxC: 8, delayMinutes: 30, deadbandC: 0.5 }),
    judged: true,
  },
  {
    name: 'above 8 °C, by SMS',
    rule: value({ temperatureMaxC: 8 }),
    judged: true,
    more: { recipients: [{ userId: '1', channels: ['sms', 'mail'] }], notifyNormal: true },
  },
  { name: 'above 12 °C: never', rule: value({ temperatureMaxC: 12 }), judged: true },
  { name: 'above 5 °C: all the time', rule: value({ temperatureMaxC: 5 }) },
  { name: 'battery below 15 %', rule: value({ batteryMinPct: 15 }) },
  { name: 'no data for 60 min', rule: { kind: 'noData', afterMinutes: 60 } },
  { name: 'in and out of a fence', rule: { kind: 'fence', direction: 'both', geofenceIds: ['1'] } },
]

const stage = await openStage(ports)
const failures: string[] = []
try {
  const started = Date.now()
  const token = await load(stage.client, devices, days)
  console.log(
    `${((devices * days * 480) / 1e6).toFixed(1)} million readings, loaded in ${Math.round((Date.now() - started) / 1000)} s\n`,
  )
  const server = await stage.startServer()
  await settled(ports.http)
  console.log(`the server's memory before: ${server.peakMb().toFixed(0)} MB`)
  const plain = await judgePlainly()
  for (const question of questions) {
    if (!question.judged && process.argv.includes('--only-needed')) continue
    const times: number[] = []
    let last = { count: 0, answers: 0, first: 0, sms: 0 }
    for (let round = 0; round < (question.judged ? rounds : 1); round++) {
      const start = performance.now()
      last = await askAll(token, question)
      times.push(performance.now() - start)
    }
    const p50 = times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0
    const verdict = question.judged ? judgeRatio(question.name, p50, plain.ms, bound) : null
    failures.push(...(verdict?.failures ?? []))
    if (question === questions[0] && plain.count !== last.count)
      failures.push(`${question.name}: ${last.count} firings, plainly ${plain.count}`)
    console.log(
      `${question.name.padEnd(34)}first ${(times[0] ?? 0).toFixed(0).padStart(6)} ms  median ${p50.toFixed(0).padStart(6)} ms  longest answer ${last.first.toFixed(0).padStart(5)} ms  ${String(last.answers).padStart(3)} answers  ${last.count} firings  ${last.sms} SMS units  ${verdict?.text ?? ''}`,
    )
  }
  console.log(`\nthe server's memory at its peak: ${server.peakMb().toFixed(0)} MB`)
} finally {
  await stage.stop()
}
if (failures.length > 0) {
  console.error(`\nFAILED\n${failures.join('\n')}`)
  process.exitCode = 1
}

/** Reads and judges every row for the first question. */
async function judgePlainly() {
  const from = new Date(Math.floor((Date.now() - days * 86_400_000) / 3_600_000) * 3_600_000)
  const start = performance.now()
  const count = await judgeEverything(stage.client, questions[0]?.rule ?? {}, devices, from)
  const ms = performance.now() - start
  console.log(`${'every reading, judged plainly'.padEnd(34)}${ms.toFixed(0)} ms, ${count} firings`)
  return { ms, count }
}

/** Asks until it is done; adds up. `first`: the longest single answer, ms. */
async function askAll(token: string, { rule, more }: (typeof questions)[number]) {
  const sum = { count: 0, answers: 0, first: 0, sms: 0 }
  let cursor: string | null = null
  do {
    const start = performance.now()
    const answer: Response = await fetch(`http://127.0.0.1:${ports.http}/app/api/v1/alarms/backtest`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ rule, groupIds: ['1'], days, ...more, ...(cursor ? { cursor } : {}) }),
    })
    const body = (await answer.json()) as { payload: BackTest }
    if (!answer.ok) throw new Error(`${answer.status} ${JSON.stringify(body)}`)
    sum.answers++
    sum.count += body.payload.count
    sum.sms += body.payload.smsUnits
    sum.first = Math.max(sum.first, performance.now() - start)
    cursor = body.payload.cursor
  } while (cursor)
  return sum
}
