import type { Notification, NotificationKind } from '@isotherm/contract/notifications.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import { describeApp, describePipeline } from '../../../test/describe-app.ts'
import { aDevice } from '../../../test/device-factory.ts'
import { buildUser, only, setMatrix, type TestUser } from '../../../test/factories.ts'
import { anOrder, type MadeOrder } from '../../../test/order-factory.ts'
import { quietNow } from '../../../test/quiet-now.ts'
import { tellAll } from '../../../test/told.ts'
import { trailOf } from '../../../test/trail.ts'
import { showTrackingCode } from '../../domain/tracking-code.ts'
import { smsText, textsOf } from '../../pipeline/notify/messages.ts'
import { smsSegments } from '../../platform/messaging/sms-segments.ts'
import { estimateArrivals, watchOrderGoods } from './jobs.ts'

const t = describeApp()
const pipeline = describePipeline(t)

const minute = 60_000
const at = (minutes: number) => new Date(t.clock.now().getTime() + minutes * minute)

let admin: TestUser
let manager: TestUser
let staff: TestUser
beforeEach(async () => {
  admin = await buildUser(t)
  manager = await buildUser(t, { company: admin, role: 'manager', fullname: 'Ada Obi', phone: '+2348000000000' })
  staff = await buildUser(t, { company: admin, role: 'staff' })
})

const settingsOf = async ({ token }: TestUser) => {
  const {
    currencyInUse: _,
    recipients: _r,
    escalation: _e,
    ...rest
  } = (await t.call('GET', '/dispatch/settings', { token })).body.payload
  return rest
}
type Lists = Partial<Record<'late' | 'outOfRange', { userId: string; channels: string[] }[]>>
/** Says who hears of orders. */
const choose = async (lists: Lists, by: TestUser = admin) =>
  t.call('PUT', '/dispatch/settings', {
    token: by.token,
    body: { ...(await settingsOf(admin)), recipients: { late: [], outOfRange: [], ...lists } },
  })
const grant = (units: number) =>
  t.change(admin.companyId, `update wallets set balance = $2 where company_id = $1 and kind = 'sms'`, [
    ...[admin.companyId, units],
  ])
const deliveries = () =>
  t.rows<{ channel: string; state: string; reason: string | null; units: number; user_id: string }>(
    'select channel, state, reason, units, user_id from deliveries where company_id = $1 order by id',
    [admin.companyId],
  )
const linesOf = async ({ token }: TestUser, kind: NotificationKind) =>
  (await t.call('GET', '/enterprise/notifications', { token, query: { kind } })).body.payload.data as Notification[]
const isOver = ({ id }: MadeOrder) =>
  t.change(admin.companyId, `update orders set state = 'completed', ended_at = $2 where id = $1`, [id, at(0)])

/** An order that left twenty minutes ago, to two stops. */
const underWay = (deliverBy: number, deviceIds: number[] = []) =>
  anOrder(t, {
    companyId: admin.companyId,
    deviceIds,
    receivers: [{ name: 'Mercy Hospital' }, { name: 'Hope Clinic' }],
    more: { state: 'inProgress', started_at: at(-20), left_pickup_at: at(-20), deliver_by: at(deliverBy) },
  })

describe('an order that will be late', () => {
  const estimate = () => estimateArrivals.run(t.services, {})

  test('is told once to those whom the company chose, by their channels, in their language', async () => {
    await grant(5)
    expect((await choose({ late: [{ userId: manager.id, channels: ['app', 'mail', 'sms', 'chat'] }] })).status).toBe(
      200,
    )
    const order = await underWay(-60)
    await Promise.all([estimate(), estimate()])
    const sent = await tellAll(t)
    await estimate()
    expect(await tellAll(t)).toEqual([])
    // No chat units were bought.
    const toManager = sent.filter(({ userId }) => userId === manager.id)
    expect(toManager.map(({ channel }) => channel)).toEqual(['mail', 'sms'])
    const own = (await deliveries()).filter(({ user_id }) => user_id === manager.id)
    expect(own.map(({ channel, state, reason }) => [channel, state, reason])).toEqual([
      ['mail', 'accepted', null],
      ['sms', 'accepted', null],
      ['chat', 'skipped', 'walletEmpty'],
    ])
    const [mail] = toManager
    if (!mail) throw new Error('a mail was sent')
    const code = showTrackingCode(order.tracking_code)
    expect(textsOf(mail.payload, 'en').subject).toMatch(
      new RegExp(`^Order ${code}, Mercy Hospital and 1 more: .* late, Lagos$`),
    )
    expect(textsOf(mail.payload, 'fr').subject).toMatch(
      /^Commande .*, Mercy Hospital et 1 autre\u00a0: .* de retard, Lagos$/,
    )
    expect(textsOf(mail.payload, 'es').lead).toMatch(
      /^Pedido .*, Mercy Hospital y 1 más: .* de retraso, Lagos\. Se espera/,
    )
    expect(textsOf(mail.payload, 'sw').lead).toMatch(/^Oda .*: imechelewa .*, Lagos\. Inatarajiwa/)
    const sms = smsText(mail.payload, 'en', 'https://cold.test')
    expect(sms).toContain(`https://cold.test/dispatch/order/${order.id}`)
    expect(smsSegments(sms)).toBe(1)
    expect(await linesOf(manager, 'orderLate')).toMatchObject([{ orderId: order.id, severity: 'warning' }])
    for (const other of [admin, staff]) expect(await linesOf(other, 'orderLate')).toEqual([])
    const wallet = await t.rows(`select balance, reserved from wallets where company_id = $1 and kind = 'sms'`, [
      admin.companyId,
    ])
    expect(wallet[0]?.balance).toBeLessThan(5)
    expect(wallet[0]?.reserved).toBe(0)
  })

  test('is told in the app to everybody who may view dispatch where nobody was chosen who still may', async () => {
    await choose({ late: [{ userId: manager.id, channels: ['mail'] }] })
    await t.change(admin.companyId, 'update users set archived_at = now() where id = $1', [manager.id])
    const stranger = await buildUser(t)
    await underWay(-60)
    await estimate()
    expect(await tellAll(t)).toEqual([])
    for (const reader of [admin, staff]) expect(await linesOf(reader, 'orderLate')).toHaveLength(1)
    expect(await linesOf(stranger, 'orderLate')).toEqual([])
  })

  test('without units in the wallet goes by the other channels, and the Admins hear of the wallet', async () => {
    await choose({ late: [{ userId: manager.id, channels: ['sms'] }] })
    await underWay(-60)
    await estimate()
    const sent = await tellAll(t)
    expect(sent.filter(({ channel }) => channel === 'sms')).toEqual([])
    expect((await deliveries())[0]).toMatchObject({ channel: 'sms', state: 'skipped', reason: 'walletEmpty', units: 0 })
    expect(await linesOf(manager, 'orderLate')).toHaveLength(1)
    expect(await linesOf(admin, 'wallet')).toHaveLength(1)
  })

  test('and is expected in time again is told in the app only; late again within the hour, too', async () => {
    await choose({ late: [{ userId: manager.id, channels: ['app', 'mail'] }] })
    const order = await underWay(-60)
    await estimate()
    expect(await tellAll(t)).toHaveLength(1)
    const due = (minutes: number) =>
      t.change(admin.companyId, 'update orders set deliver_by = $2 where id = $1', [order.id, at(minutes)])
    await due(6_000)
    await estimate()
    expect(await tellAll(t)).toEqual([])
    expect(await linesOf(manager, 'orderOnTime')).toMatchObject([{ orderId: order.id, severity: 'info' }])
    await due(-60)
    await estimate()
    expect(await tellAll(t)).toEqual([])
    expect(await linesOf(manager, 'orderLate')).toHaveLength(2)
    await due(6_000)
    await estimate()
    t.clock.advance(61 * minute)
    await due(-60)
    await estimate()
    expect(await tellAll(t)).toHaveLength(1)
    const { body } = await t.call('GET', `/dispatch/orders/${order.id}/events`, { token: staff.token })
    const kinds = (body.payload as { kind: string }[]).map(({ kind }) => kind)
    expect(kinds.filter((kind) => kind === 'onTime')).toHaveLength(4)
  })

  test('is not told after quiet hours to who may not view dispatch any more, nor once it is over', async () => {
    const sleeper = await buildUser(t, { company: admin, role: 'manager', settings: quietNow(t.clock) })
    await choose({ late: [{ userId: sleeper.id, channels: ['mail'] }] })
    const order = await underWay(-60)
    await estimate()
    expect(await tellAll(t)).toEqual([])
    expect(await linesOf(sleeper, 'orderLate')).toHaveLength(1)
    await setMatrix(t, admin.companyId, 'manager', only('devices.view'))
    expect(await linesOf(sleeper, 'orderLate')).toEqual([])
    t.clock.advance(24 * 60 * minute)
    expect(await tellAll(t)).toEqual([])
    expect(await deliveries()).toMatchObject([{ state: 'skipped', reason: 'unseen' }])
    await setMatrix(t, admin.companyId, 'manager', only('devices.view', 'dispatch.view'))
    await underWay(-60)
    await estimate()
    await tellAll(t)
    await t.change(admin.companyId, `update orders set state = 'completed', ended_at = $1`, [at(0)])
    t.clock.advance(24 * 60 * minute)
    expect(await tellAll(t)).toEqual([])
    expect((await deliveries()).map(({ reason }) => reason)).toContain('overMeanwhile')
    expect(order.id).not.toBe('')
  })

  test('that is over before anybody was told is told to nobody', async () => {
    const order = await underWay(-60)
    await estimate()
    await isOver(order)
    await tellAll(t)
    expect(await linesOf(admin, 'orderLate')).toEqual([])
  })
})

describe('goods that are out of range', () => {
  const watch = () => watchOrderGoods.run(t.services, {})
  const box = (visibility: 'public' | 'private' = 'public') =>
    aDevice(t, { companyId: admin.companyId, name: 'Box 3', visibility, limits: { temperatureMaxC: 8 } })
  type Box = Awaited<ReturnType<typeof box>>
  const measure = (device: Box, temperatureC: number) =>
    pipeline.send(device, [{ at: at(0), temperatureC, lat: 6.5, lon: 3.35 }])
  const chosen = () => choose({ outOfRange: [{ userId: manager.id, channels: ['mail'] }] })

  test('are told once until they are back, which is told in the app; again by mail after an hour', async () => {
    await chosen()
    const device = await box()
    const order = await underWay(600, [device.id])
    await measure(device, 9.4)
    await Promise.all([watch(), watch()])
    const sent = await tellAll(t)
    expect(sent.map(({ channel, userId }) => [channel, userId])).toEqual([['mail', manager.id]])
    const texts = sent[0] && textsOf(sent[0].payload, 'en')
    expect(texts?.subject).toMatch(/^Order .*, Mercy Hospital: 9\.4\s°C \(limit 8\.0\), Lagos$/)
    expect(texts?.lead).toContain('Box 3 out of range since')
    expect(await linesOf(manager, 'orderOutOfRange')).toMatchObject([
      { orderId: order.id, deviceId: String(device.id), severity: 'warning' },
    ])
    t.clock.advance(5 * minute)
    await watch()
    expect(await tellAll(t)).toEqual([])
    for (const [temperatureC, minutes] of [
      [5, 5],
      [9, 5],
      [5, 5],
      [9, 60],
    ] as const) {
      t.clock.advance(minutes * minute)
      await measure(device, temperatureC)
      await watch()
      expect(await tellAll(t)).toHaveLength(minutes === 60 ? 1 : 0)
    }
    expect(await linesOf(manager, 'orderInRange')).toHaveLength(2)
    expect(await linesOf(manager, 'orderOutOfRange')).toHaveLength(3)
  })

  test('are not told while devices may still cool down after the start', async () => {
    const settings = { ...(await settingsOf(admin)), ignoreMinutes: 30 }
    await t.call('PUT', '/dispatch/settings', { token: admin.token, body: settings })
    const device = await box()
    await underWay(600, [device.id])
    await measure(device, 9)
    await watch()
    await tellAll(t)
    expect(await linesOf(admin, 'orderOutOfRange')).toEqual([])
    t.clock.advance(11 * minute)
    await watch()
    await tellAll(t)
    expect(await linesOf(admin, 'orderOutOfRange')).toHaveLength(1)
  })

  test('by a private device are told to Admins only, also where it became private before the message was sent', async () => {
    await chosen()
    const secret = await box('private')
    await underWay(600, [secret.id])
    await measure(secret, 9.4)
    await watch()
    expect(await tellAll(t)).toEqual([])
    expect(await linesOf(manager, 'orderOutOfRange')).toEqual([])
    expect((await linesOf(admin, 'orderOutOfRange'))[0]?.text).toContain('9.4')
    const sleeper = await buildUser(t, { company: admin, role: 'manager', settings: quietNow(t.clock) })
    await choose({ outOfRange: [{ userId: sleeper.id, channels: ['mail'] }] })
    const open = await box()
    await underWay(6_000, [open.id])
    await measure(open, 9.4)
    await watch()
    await tellAll(t)
    expect(await linesOf(sleeper, 'orderOutOfRange')).toHaveLength(1)
    await t.change(admin.companyId, `update devices set visibility = 'private' where id = $1`, [open.id])
    expect(await linesOf(sleeper, 'orderOutOfRange')).toEqual([])
    t.clock.advance(24 * 60 * minute)
    expect(await tellAll(t)).toEqual([])
    expect(await deliveries()).toMatchObject([{ state: 'skipped', reason: 'private' }])
  })

  test('of an order that is new or over, or that was handed over, are none', async () => {
    const device = await box()
    const order = await underWay(600, [device.id])
    await t.change(admin.companyId, 'update order_devices set receiver_id = $2 where order_id = $1', [
      ...[order.id, order.receivers[0]?.id],
    ])
    await t.change(
      admin.companyId,
      `update order_receivers set state = 'delivered', arrived_at = $2, settled_at = $2 where id = $1`,
      [order.receivers[0]?.id, at(-1)],
    )
    await measure(device, 9)
    await watch()
    expect(await t.rows('select 1 from order_notices where company_id = $1', [admin.companyId])).toEqual([])
  })
})

describe('the people who hear of orders', () => {
  test('are saved with the settings, named twice once, and stand in the trail by name', async () => {
    const twice = ['mail', 'sms'].map((channel) => ({ userId: staff.id, channels: [channel] }))
    expect(
      (await choose({ late: twice, outOfRange: [{ userId: manager.id, channels: ['app'] }] })).body.payload,
    ).toMatchObject({
      recipients: {
        late: [{ userId: staff.id, channels: ['mail', 'sms'], unreachable: ['sms'], mayView: true }],
        outOfRange: [{ userId: manager.id, name: 'Ada Obi', unreachable: [] }],
      },
    })
    expect((await trailOf(t, admin.companyId)).at(-1)).toMatchObject({
      action: 'orders.settingsChanged',
      before: { outOfRangeRecipients: [] },
      after: { outOfRangeRecipients: ['Ada Obi (app)'] },
    })
    const { status, body } = await t.call('PUT', '/dispatch/settings', {
      token: admin.token,
      body: await settingsOf(admin),
    })
    expect(status).toBe(200)
    expect(body.payload.recipients.late).toHaveLength(1)
    expect((await choose({})).body.payload.recipients).toEqual({ late: [], outOfRange: [] })
  })

  test('are of the company, and are there', async () => {
    const stranger = await buildUser(t)
    const gone = await buildUser(t, { company: admin })
    await t.change(admin.companyId, 'update users set archived_at = now() where id = $1', [gone.id])
    for (const userId of [stranger.id, gone.id, '999999999']) {
      const { status, body } = await choose({
        late: [
          { userId: staff.id, channels: ['app'] },
          { userId, channels: ['app'] },
        ],
      })
      expect([status, Object.keys(body.fields)]).toEqual([422, ['recipients.late.1.userId']])
    }
    for (const channels of [[], ['webhook'], ['app', 'app', 'app', 'app', 'app']])
      expect((await choose({ late: [{ userId: staff.id, channels }] })).status).toBe(422)
    expect((await choose({ late: [] }, staff)).status).toBe(403)
  })

  test('who may not view dispatch any more are told of', async () => {
    await choose({ late: [{ userId: manager.id, channels: ['app'] }] })
    await setMatrix(t, admin.companyId, 'manager', only('devices.view'))
    const { body } = await t.call('GET', '/dispatch/settings', { token: admin.token })
    expect(body.payload.recipients.late).toMatchObject([{ mayView: false }])
  })
})
