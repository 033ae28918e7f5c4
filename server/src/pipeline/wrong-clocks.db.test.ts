import { expect, test } from 'vitest'
import { anAlarm } from '../../test/alarm-factory.ts'
import { describeIngest } from '../../test/describe-app.ts'
import { notifyStage } from '../../test/notify-scene.ts'
import { DatabaseClock } from '../platform/clock/database-clock.ts'
import { askTime } from '../platform/db/clock-queries.ts'
import { createLog } from '../platform/log/log.ts'
import { deliver } from './notify/deliver.ts'
import { dispatch } from './notify/dispatch.ts'
import { Pipeline } from './pipeline.ts'

const pipeline = describeIngest()
const { sent, provider, tools, scene, breach, deliveries } = notifyStage(() => pipeline)

const machineAhead = (ms: number) => ({ now: () => new Date(Date.now() + ms) })

/** The clock of a node whose machine is so far ahead. */
async function nodeClock(aheadMs: number): Promise<DatabaseClock> {
  const log = createLog('silent')
  const clock = new DatabaseClock({ ask: askTime(pipeline.pool), log, machine: machineAhead(aheadMs) })
  await clock.measure()
  return clock
}

test.each([60_000, -60_000])('a node whose machine is %i ms ahead knows the time of the database', async (ms) => {
  const clock = await nodeClock(ms)
  const { rows } = await pipeline.pool.query<{ at: Date }>('select clock_timestamp() as at')
  expect(Math.abs(clock.now().getTime() - rows[0]!.at.getTime())).toBeLessThan(10_000)
  expect(Math.abs((clock.machineAheadMs ?? 0) - ms)).toBeLessThan(10_000)
})

test('no node tells of silence before the time, whatever its machine says', async () => {
  const device = await pipeline.device({ intervalS: 180 })
  await anAlarm(pipeline, device, { rule: { kind: 'noData', afterMinutes: 10 }, deviceIds: [device.id] })
  const at = new Date(Date.now() - 9.2 * 60_000).toISOString()
  pipeline.clock.set(at)
  expect((await pipeline.post(device, { at, temperatureC: 5 })).status).toBe(200)
  const triggers = () =>
    pipeline.rows('select id from alarm_triggers where company_id = $1 and opened_at is not null', [device.companyId])
  await pipeline.pipeline.stop()
  const sweepBy = async (clock: { now(): Date }) => {
    const node = new Pipeline({ ...pipeline.options, clock, metrics: pipeline.metrics() })
    await node.start()
    await node.sweepAlarms(true)
    await node.stop()
    return (await triggers()).length
  }
  expect(await sweepBy(await nodeClock(90_000))).toBe(0)
  expect(await sweepBy(await nodeClock(-90_000))).toBe(0)
  // The clock of the machine itself would have told.
  expect(await sweepBy(machineAhead(90_000))).toBe(1)
  await pipeline.reopen()
})

test('a message that one node sends is taken by no other, and goes once', async () => {
  const { companyId, device } = await scene([{ channels: ['mail'] }])
  pipeline.clock.set(new Date().toISOString())
  await breach(device)
  let answered = () => {}
  const isAsked = new Promise<void>((asked) => {
    provider.answer = () => {
      asked()
      return new Promise((answer) => {
        answered = () => answer({ ok: true, provider: 'test', providerId: null })
      })
    }
  })
  const toolsBy = (clock: { now(): Date }) => ({ ...tools(), now: () => clock.now() })
  while ((await dispatch(tools())) > 0);
  const behind = await nodeClock(-60_000)
  const sending = deliver(toolsBy(behind))
  await isAsked
  expect(await deliver(toolsBy(await nodeClock(60_000)))).toBe(0)
  answered()
  expect(await sending).toBe(1)
  expect(sent).toHaveLength(1)
  expect((await deliveries(companyId)).map(({ state }) => state)).toEqual(['accepted'])
})
