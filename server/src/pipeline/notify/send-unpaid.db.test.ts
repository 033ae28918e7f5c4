import { expect, test } from 'vitest'
import { describeIngest } from '../../../test/describe-app.ts'
import { notifyStage } from '../../../test/notify-scene.ts'
import { addUnits } from '../../core/wallet/wallet-queries.ts'
import { asPipeline } from '../../platform/db/transaction.ts'
import { sendUnpaid } from './send-unpaid.ts'

const pipeline = describeIngest()
const { sent, tools, rounds, scene, breach, deliveries } = notifyStage(() => pipeline)
const minuteMs = 60_000
const hourMs = 60 * minuteMs

const sentBySms = () => sent.filter(({ channel }) => channel === 'sms').length
const fill = (companyId: number, units: number) =>
  asPipeline(pipeline.pool, ({ client }) =>
    addUnits(
      client,
      { companyId, channel: 'sms' },
      units,
      { kind: 'granted', reference: null },
      new Date(pipeline.clock.now()),
    ),
  )
const wallet = async (companyId: number) =>
  (
    await pipeline.rows<{ balance: number; reserved: number }>(
      `select balance, reserved from wallets where company_id = $1 and kind = 'sms'`,
      [companyId],
    )
  )[0]
const states = async (companyId: number) =>
  (await deliveries(companyId)).map(({ state, reason }) => [state, reason].filter(Boolean).join(' '))

/** A warning that nobody could be told of: there were no units. */
async function unpaid(people: Parameters<typeof scene>[0] = [{ channels: ['sms'] }], devices = 1) {
  const made = await scene(people, { severity: 'warning', devices })
  for (const device of made.devices) await breach(device)
  await rounds()
  expect(sentBySms()).toBe(0)
  return made
}

test('what found no units goes out once units come in, once, however often they do and whoever looks', async () => {
  const { companyId } = await unpaid([{ channels: ['sms'] }, { channels: ['sms'], phone: '+2348000000001' }])
  pipeline.clock.advance(20 * minuteMs)
  await fill(companyId, 10)
  const looked = await Promise.all([sendUnpaid(tools()), sendUnpaid(tools()), sendUnpaid(tools())])
  expect(looked.toSorted()).toEqual([0, 0, 2])
  await rounds()
  expect([sentBySms(), await wallet(companyId)]).toEqual([2, { balance: 8, reserved: 0 }])
  await fill(companyId, 10)
  await rounds()
  expect([sentBySms(), await states(companyId)]).toEqual([2, ['accepted', 'accepted']])
})

test('as many go out as there are units for; the others go out with the next ones', async () => {
  const { companyId } = await unpaid([{ channels: ['sms'] }], 3)
  await fill(companyId, 2)
  await rounds()
  expect([sentBySms(), await wallet(companyId)]).toEqual([2, { balance: 0, reserved: 0 }])
  await fill(companyId, 2)
  await rounds()
  expect([sentBySms(), await wallet(companyId)]).toEqual([3, { balance: 1, reserved: 0 }])
})

test('what is older than an hour, acknowledged, resolved, snoozed, back to normal, or for somebody who left stays unsent', async () => {
  const acts = [
    () => pipeline.clock.advance(hourMs + minuteMs),
    (id: number) =>
      pipeline.change(id, 'update alarm_triggers set acknowledged_at = now() where company_id = $1', [id]),
    (id: number) => pipeline.change(id, 'update alarm_triggers set resolved_at = now() where company_id = $1', [id]),
    (id: number) => pipeline.change(id, `update alarms set snoozed_until = '2027-01-01' where company_id = $1`, [id]),
    (id: number) => pipeline.change(id, 'update alarms set archived_at = now() where company_id = $1', [id]),
    (id: number) => pipeline.change(id, 'update users set archived_at = now() where company_id = $1', [id]),
  ]
  for (const act of acts) {
    const { companyId } = await unpaid()
    await act(companyId)
    await fill(companyId, 10)
    await rounds()
    expect([String(act), sentBySms(), await wallet(companyId)]).toEqual([String(act), 0, { balance: 10, reserved: 0 }])
  }
  const { companyId, device } = await unpaid()
  pipeline.clock.advance(5 * minuteMs)
  await breach(device, 4)
  await rounds()
  await fill(companyId, 10)
  await rounds()
  expect(sentBySms()).toBe(0)
})

test('of several about one trigger the newest goes out; nothing does where a later one was sent', async () => {
  const { companyId } = await unpaid()
  const [first] = await pipeline.rows<{ id: string }>('select id from deliveries where company_id = $1', [companyId])
  const copy = (event: string, state: string, reason: string | null) =>
    asPipeline(pipeline.pool, ({ client }) =>
      client.query(
        `with copied as (
         insert into deliveries (company_id, key, channel, event, alarm_id, user_id, address, locale, payload, severity, state, reason, units, weight, created_at)
         select company_id, key || $3, channel, $3, alarm_id, user_id, address, locale, payload, severity, $4, $5, 0, weight, created_at
         from deliveries where company_id = $1 and id = $2::int8 returning id)
       insert into delivery_triggers (company_id, delivery_id, trigger_id)
       select $1, c.id, x.trigger_id from copied c, delivery_triggers x where x.company_id = $1 and x.delivery_id = $2::int8`,
        [companyId, first?.id, event, state, reason],
      ),
    )
  await copy('worsened', 'skipped', 'walletEmpty')
  await fill(companyId, 10)
  await rounds()
  expect([sentBySms(), await states(companyId)]).toEqual([1, ['skipped walletEmpty', 'accepted']])
  await fill(companyId, 10)
  await rounds()
  expect(sentBySms()).toBe(1)
})

test('what was held for quiet hours waits for their end', async () => {
  // Twelve o’clock of UTC is 13 in Lagos.
  const { companyId } = await unpaid([{ channels: ['sms'], quiet: ['12:00', '13:30'] }])
  await fill(companyId, 10)
  await rounds()
  expect([sentBySms(), await states(companyId)]).toEqual([0, ['held quietHours']])
  pipeline.clock.advance(31 * minuteMs)
  await rounds()
  expect([sentBySms(), await wallet(companyId)]).toEqual([1, { balance: 9, reserved: 0 }])
})
