import { describe, expect, test } from 'vitest'
import { describeIngest } from '../../../test/describe-app.ts'
import { notifyStage } from '../../../test/notify-scene.ts'
import type { TestDevice } from '../../../test/pipeline-harness.ts'
import { setUnitWeight } from '../../core/provider/price-list.ts'
import { addUnits } from '../../core/wallet/wallet-queries.ts'
import { asLogin, asPipeline } from '../../platform/db/transaction.ts'
import { dispatch } from './dispatch.ts'
import { textsOf } from './messages.ts'

const pipeline = describeIngest()
const { sent, tools, rounds, scene, breach, grant, deliveries } = notifyStage(() => pipeline)

const sentBySms = () => sent.filter(({ channel }) => channel === 'sms')
const smsWallet = async (companyId: number) =>
  (
    await pipeline.rows<{ balance: number; reserved: number }>(
      `select balance, reserved from wallets where company_id = $1 and kind = 'sms'`,
      [companyId],
    )
  )[0]

describe('a critical alarm with an empty wallet', () => {
  const overdraft = (companyId: number, units: number) =>
    pipeline.change(companyId, 'update wallets set overdraft_units = $2 where company_id = $1', [companyId, units])
  const tell = async (devices: readonly TestDevice[]) => {
    for (const device of devices) {
      await breach(device)
      await rounds()
    }
  }

  test('goes out on the overdraft of the day, and then no more; the next day again', async () => {
    const { companyId, devices } = await scene([{ channels: ['sms'] }], { devices: 4 })
    await overdraft(companyId, 2)
    await tell(devices.slice(0, 3))
    expect(sentBySms()).toHaveLength(2)
    expect(await smsWallet(companyId)).toEqual({ balance: -2, reserved: 0 })
    expect((await deliveries(companyId)).at(-1)).toMatchObject({ state: 'skipped', reason: 'walletEmpty' })
    pipeline.clock.advance(86_400_000)
    await tell(devices.slice(3))
    expect(sentBySms()).toHaveLength(3)
    expect(await smsWallet(companyId)).toEqual({ balance: -3, reserved: 0 })
  })

  const moveTo = (companyId: number, zone: string) =>
    pipeline.change(companyId, 'update companies set timezone = $2 where company_id = $1', [companyId, zone])

  test('has the overdraft anew at midnight of the company, not of UTC', async () => {
    const { companyId, devices } = await scene([{ channels: ['sms'] }], { devices: 5 })
    await overdraft(companyId, 1)
    await moveTo(companyId, 'Africa/Nairobi')
    const said: number[] = []
    // 23:59:30, 23:59:59 and 00:00 there; then 02:59 and 03:00, where UTC has its midnight.
    for (const [index, time] of ['20:59:30', '20:59:59', '21:00:00', '23:59:00', '24:00:00'].entries()) {
      pipeline.clock.set(`2026-11-20T${time}Z`)
      await tell(devices.slice(index, index + 1))
      said.push(sentBySms().length)
    }
    expect(said).toEqual([1, 1, 2, 2, 2])
  })

  test('has none anew where the company moves its clock back and forth', async () => {
    const { companyId, devices } = await scene([{ channels: ['sms'] }], { devices: 4 })
    await overdraft(companyId, 1)
    const said: number[] = []
    // The 21st there, the 20th, the 21st again, and the 20th.
    for (const [index, zone] of [
      'Pacific/Kiritimati',
      'Pacific/Honolulu',
      'Pacific/Kiritimati',
      'Pacific/Honolulu',
    ].entries()) {
      await moveTo(companyId, zone)
      await tell(devices.slice(index, index + 1))
      said.push(sentBySms().length)
    }
    expect(said).toEqual([1, 1, 1, 1])
  })

  test('uses the overdraft for what the wallet lacks only, and units that come in repay it', async () => {
    const { companyId, devices } = await scene([{ channels: ['sms'] }], { devices: 3 })
    await overdraft(companyId, 1)
    await grant(companyId, 1)
    await tell(devices.slice(0, 2))
    expect(await smsWallet(companyId)).toEqual({ balance: -1, reserved: 0 })
    await asPipeline(pipeline.pool, ({ client }) =>
      addUnits(
        client,
        { companyId, channel: 'sms' },
        5,
        { kind: 'granted', reference: null },
        new Date(pipeline.clock.now()),
      ),
    )
    expect(await smsWallet(companyId)).toEqual({ balance: 4, reserved: 0 })
    await tell(devices.slice(2))
    expect(await smsWallet(companyId)).toEqual({ balance: 3, reserved: 0 })
  })

  test('is not sent where the provider gives no overdraft, nor is a warning where it does', async () => {
    const without = await scene([{ channels: ['sms'] }])
    await overdraft(without.companyId, 0)
    await tell([without.device])
    expect(sentBySms()).toHaveLength(0)
    const warning = await scene([{ channels: ['sms'] }], { severity: 'warning' })
    await tell([warning.device])
    expect(sentBySms()).toHaveLength(0)
    expect(await smsWallet(warning.companyId)).toEqual({ balance: 0, reserved: 0 })
  })

  test('tells the Admins once that only critical alarms go out, and how many units of them', async () => {
    const { companyId, devices } = await scene([{ channels: ['sms'], role: 'admin' }], { devices: 2 })
    await tell(devices)
    const notices = await pipeline.rows(`select params from notifications where company_id = $1 and kind = 'wallet'`, [
      companyId,
    ])
    expect(notices).toEqual([{ params: { state: 'empty', wallet: 'sms', remaining: -1, overdraftPerDay: 20 } }])
    const mail = sent.find(({ payload }) => payload.notice)
    expect(mail && textsOf(mail.payload, 'en').line).toBe(
      'No SMS units left: only critical alarms go out by SMS, at most 20 units a day',
    )
  })
})

describe('a message to a country', () => {
  const weigh = (country: string, weight: number | null) =>
    asLogin(pipeline.pool, ({ tx }) =>
      setUnitWeight(tx, { kind: 'sms', country }, weight, new Date('2026-01-01'), new Date('2026-01-01')),
    )

  test('costs its weight for each segment; what was decided stays with the message', async () => {
    await weigh('SN', 7)
    const { companyId, device } = await scene([
      { channels: ['sms'], phone: '+221771234567' },
      { channels: ['sms'], phone: '+2348000000001' },
    ])
    await grant(companyId, 100)
    await breach(device)
    await dispatch(tools())
    expect(await smsWallet(companyId)).toEqual({ balance: 100, reserved: 8 })
    await asLogin(pipeline.pool, ({ client }) =>
      client.query(`update unit_weights set weight = 9 where country = 'SN'`),
    )
    await rounds()
    expect(await smsWallet(companyId)).toEqual({ balance: 92, reserved: 0 })
    const weights = await pipeline.rows('select units, weight from deliveries where company_id = $1 order by id', [
      companyId,
    ])
    expect(weights).toEqual([
      { units: 7, weight: 7 },
      { units: 1, weight: 1 },
    ])
  })

  test('that the provider has blocked is not sent, and costs nothing', async () => {
    await weigh('ML', null)
    const { companyId, device } = await scene([{ channels: ['sms', 'mail'], phone: '+22365012345' }])
    await grant(companyId, 100)
    await breach(device)
    await rounds()
    expect(await smsWallet(companyId)).toEqual({ balance: 100, reserved: 0 })
    const told = (await deliveries(companyId)).map(({ channel, state, reason }) => [channel, state, reason])
    expect(told.toSorted()).toEqual([
      ['mail', 'accepted', null],
      ['sms', 'skipped', 'countryBlocked'],
    ])
  })
})
