import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { anAlarm } from '../../test/alarm-factory.ts'
import { describeIngest } from '../../test/describe-app.ts'
import type { TestDevice } from '../../test/pipeline-harness.ts'
import { findDifferences } from '../../test/recompute.ts'
import { exceptOpenedByClock, findTriggerDifferences } from '../../test/recompute-triggers.ts'

const pipeline = describeIngest()

const start = Date.parse('2026-11-01T09:00:00Z')
const intervalMs = 180_000
const perDevice = 400

/** Numbers of 0 up to below `limit`, the same for every run. */
function numbersFrom(seed: number) {
  let state = seed
  return (limit: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
}

/** The places of readings in the order a device sends them: some come ten places late, some twice. */
function* story(nth: number): Generator<number> {
  for (let index = 0; ; index++) {
    if (index % 10 !== nth) yield index
    if (index >= 10 && index % 10 === nth) yield index - 10
    if (index > 20 && index % 10 === 5) yield index - 7
  }
}

const warm = (temperatureMaxC: number, delayMinutes: number) =>
  ({ kind: 'value', temperatureMaxC, delayMinutes, deadbandC: 0.5 }) as const

/** A company with one device, which two alarms of limits and one of silence watch. */
async function watchedDevice(): Promise<TestDevice> {
  const device = await pipeline.device()
  for (const rule of [warm(8, 10), warm(9, 0), { kind: 'noData', afterMinutes: 10_080 } as const])
    await anAlarm(pipeline, device, { rule, severity: 'critical', deviceIds: [device.id] })
  return device
}

/** Sends the story of a device: one message after the other with many readings, or ten at once with one each. */
async function send(
  device: TestDevice,
  nth: number,
  isWarm: (block: number) => boolean,
  numbers: (n: number) => number,
  answered: () => void,
) {
  const places = story(nth)
  const [workers, size] = nth % 2 === 0 ? [1, 20] : [10, 1]
  let sent = 0
  const work = async () => {
    while (sent < perDevice) {
      sent += size
      const readings = Array.from({ length: size }, () => {
        const index = places.next().value ?? 0
        const temperatureC = (isWarm(index >> 4) ? 9.5 : 5) + ((index * 37) % 200) / 100 - 1
        return { at: new Date(start + index * intervalMs).toISOString(), temperatureC }
      })
      if (numbers(8) === 0) await sleep(numbers(80))
      while ((await pipeline.post(device, { readings })).status !== 200);
      answered()
    }
  }
  await Promise.all(Array.from({ length: workers }, work))
}

test('readings of several companies, sweeps of alarms and lost connections at once leave what their rows make', async () => {
  const client = new pg.Client(pipeline.databaseUrl)
  await client.connect()
  let losts = 0
  let isOver = false
  let beside: Promise<void>[] = []
  onTestFinished(async () => {
    isOver = true
    await Promise.allSettled(beside)
    await client.end()
  })
  for (const seed of [1, 2, 3]) {
    const numbers = numbersFrom(seed)
    const warmBlocks = Array.from({ length: 400 }, () => numbers(4) === 0)
    const devices: TestDevice[] = []
    for (let nth = 0; nth < 6; nth++) devices.push(await watchedDevice())
    isOver = false
    const sweeps = async () => {
      for (; !isOver; await sleep(numbers(30))) await pipeline.pipeline.sweepAlarms(numbers(2) === 0)
    }
    // Connections are lost again once some messages were answered since the last time: by the clock alone, a slow machine
    // would lose them before anything was written, and never come to an end.
    let answered = 0
    const losses = async () => {
      for (let due = 0; !isOver; await sleep(numbers(40))) {
        if (answered < due) continue
        due = answered + 10 + numbers(60)
        await client.query(
          `select pg_terminate_backend(pid) from pg_stat_activity
           where application_name like 'isotherm lane%' and datname = current_database()`,
        )
        losts++
      }
    }
    beside = [sweeps(), losses()]
    await Promise.all(
      devices.map((device, nth) =>
        send(
          device,
          nth,
          (block) => warmBlocks[block * 6 + nth] ?? false,
          numbers,
          () => answered++,
        ),
      ),
    )
    isOver = true
    await Promise.all(beside)
  }
  expect(await findDifferences(client)).toEqual([])
  expect(exceptOpenedByClock(await findTriggerDifferences(client, 3 * intervalMs))).toEqual([])
  expect(losts).toBeGreaterThan(20)
  // Lost connections are waited for: on a machine that does other work that takes minutes.
}, 300_000)
