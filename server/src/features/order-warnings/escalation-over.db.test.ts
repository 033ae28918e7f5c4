import { beforeEach, expect, test } from 'vitest'
import { describeApp, describePipeline } from '../../../test/describe-app.ts'
import { aDevice } from '../../../test/device-factory.ts'
import { buildUser, only, setMatrix, type TestUser } from '../../../test/factories.ts'
import { anOrder } from '../../../test/order-factory.ts'
import { aRota } from '../../../test/rota-factory.ts'
import { tellAll } from '../../../test/told.ts'
import { textsOf } from '../../pipeline/notify/messages.ts'
import { estimateArrivals, watchOrderGoods } from '../order-tracking/jobs.ts'

const t = describeApp()
const pipeline = describePipeline(t)
const minute = 60_000
const locales = ['en', 'fr', 'es', 'sw'] as const
const at = (minutes: number) => new Date(t.clock.now().getTime() + minutes * minute)

let admin: TestUser
let ben: TestUser
let cid: TestUser
beforeEach(async () => {
  // A Wednesday: each turn begins on Mondays at 08:00.
  t.clock.set(new Date('2026-11-18T12:00:00Z'))
  admin = await buildUser(t)
  ben = await buildUser(t, { company: admin, role: 'manager' })
  cid = await buildUser(t, { company: admin, role: 'staff' })
})

const byMail = (user: TestUser) => [{ userId: user.id, channels: ['mail'] }]
/** Ben hears at once, the second recipients after 20 minutes. */
async function choose(escalation: object[], first: object[] = byMail(ben)) {
  const { body } = await t.call('GET', '/dispatch/settings', { token: admin.token })
  const { currencyInUse: _, ...kept } = body.payload
  const lists = (list: object[]) => ({ late: list, outOfRange: list })
  const changed = { ...kept, recipients: lists(first), escalateMinutes: 20, escalation: lists(escalation) }
  const { status } = await t.call('PUT', '/dispatch/settings', { token: admin.token, body: changed })
  expect(status).toBe(200)
}
const underWay = (deliverBy: number, deviceIds: number[] = [], names = ['Mercy Hospital']) =>
  anOrder(t, {
    ...{ companyId: admin.companyId, deviceIds, receivers: names.map((name) => ({ name })) },
    more: { state: 'inProgress', started_at: at(-20), left_pickup_at: at(-20), deliver_by: at(deliverBy) },
  })
const watch = () => watchOrderGoods.run(t.services, {})
/** Runs the jobs after some minutes, those of warnings twice at once; the messages that are sent meanwhile. */
async function sentAfter(minutes: number) {
  t.clock.advance(minutes * minute)
  await estimateArrivals.run(t.services, {})
  await Promise.all([watch(), watch()])
  return (await tellAll(t)).filter(({ companyId }) => companyId === admin.companyId)
}
const to = (sent: Awaited<ReturnType<typeof tellAll>>) => sent.map(({ address }) => address)
/** Tells the first recipients of an order that is late, then the second ones. */
async function escalated(names?: string[]) {
  const order = await underWay(-60, [], names)
  await sentAfter(0)
  return { order, told: to(await sentAfter(20)) }
}
const isDue = (id: string, minutes: number) =>
  t.change(admin.companyId, 'update orders set deliver_by = $2 where id = $1', [id, at(minutes)])
const settle = (id: string) =>
  t.change(
    admin.companyId,
    `update order_receivers set state = 'delivered', arrived_at = $2, settled_at = $2 where id = $1`,
    [...[id, at(0)]],
  )
const end = (id: string) =>
  t.change(admin.companyId, `update orders set state = 'completed', ended_at = $2 where id = $1`, [id, at(0)])
const linesOf = async ({ token }: TestUser) =>
  (await t.call('GET', '/enterprise/notifications', { token })).body.payload.data as {
    kind: string
    severity: string
  }[]
const quiet = (user: TestUser, from: string, until: string) =>
  t.change(
    admin.companyId,
    'insert into notification_settings (company_id, user_id, quiet_from, quiet_to, updated_at) values ($1, $2, $3, $4, now())',
    [admin.companyId, user.id, from, until],
  )

test('whoever was told of an escalation hears once by the same channel, in words of its own, that it is over', async () => {
  await choose(byMail(cid))
  const { order, told } = await escalated()
  expect(told).toEqual([cid.email])
  await isDue(order.id, 6_000)
  const sent = await sentAfter(5)
  expect(sent.map(({ channel, address }) => [channel, address])).toEqual([['mail', cid.email]])
  const texts = locales.map((locale) => sent[0] && textsOf(sent[0].payload, locale).lead)
  expect(texts).toEqual([
    expect.stringMatching(/^Over since .*: Order .*, Mercy Hospital: in time again, Lagos\. Expected /),
    expect.stringMatching(/^Terminé depuis le .*\s: Commande .* de nouveau à l’heure, Lagos\. Attendue /),
    expect.stringMatching(/^Terminado desde el .*: Pedido .* de nuevo a tiempo, Lagos\. Se espera /),
    expect.stringMatching(/^Limekwisha tangu .*: Oda .* iko kwa wakati tena, Lagos\. Inatarajiwa /),
  ])
  expect(await sentAfter(60)).toEqual([])
  for (const reader of [ben, cid])
    expect((await linesOf(reader)).map(({ kind, severity }) => [kind, severity])).toEqual([
      ['orderOnTime', 'info'],
      ['orderLate', 'warning'],
    ])
  expect(await linesOf(admin)).toEqual([])
})

test('that a stop was settled, or the order has ended, is told as such', async () => {
  await choose(byMail(cid))
  const { order } = await escalated(['Mercy Hospital', 'Hope Clinic'])
  const [first] = order.receivers
  await settle(first?.id ?? '')
  const settled = await sentAfter(5)
  expect(to(settled)).toEqual([cid.email])
  const [mail] = settled
  expect(locales.map((locale) => mail && textsOf(mail.payload, locale).line)).toEqual([
    expect.stringMatching(/^Over since .*: Order .*, Mercy Hospital: the stop is done\. Due /),
    expect.stringMatching(/^Terminé depuis le .*Mercy Hospital\u00a0: l’arrêt est fait\. Due /),
    expect.stringMatching(/^Terminado desde .*Mercy Hospital: la parada está hecha\. Previsto /),
    expect.stringMatching(/^Limekwisha .*Mercy Hospital: kituo kimekamilika\. Ilipaswa /),
  ])
  await end(order.id)
  const [last, ...more] = await sentAfter(5)
  expect(more).toEqual([])
  expect(last && textsOf(last.payload, 'en').line).toMatch(/Hope Clinic: the order has ended\. Due /)
  expect((await linesOf(cid)).map(({ kind, severity }) => [kind, severity]).slice(0, 2)).toEqual([
    ['orderLate', 'info'],
    ['orderLate', 'info'],
  ])
})

test('goods that are back in range, or whose device was taken off, are told, too', async () => {
  await choose([{ userId: cid.id, channels: ['app', 'mail'] }])
  const box = () => aDevice(t, { companyId: admin.companyId, name: 'Box 3', limits: { temperatureMaxC: 8 } })
  const [back, taken] = [await box(), await box()]
  for (const device of [back, taken]) await underWay(6_000, [device.id])
  for (const device of [back, taken]) await pipeline.send(device, [{ at: at(0), temperatureC: 9.4 }])
  await sentAfter(0)
  expect(to(await sentAfter(20))).toEqual([cid.email, cid.email])
  await pipeline.send(back, [{ at: at(0), temperatureC: 5 }])
  await t.change(admin.companyId, 'delete from order_devices where device_id = $1', [taken.id])
  const sent = await sentAfter(5)
  expect(to(sent)).toEqual([cid.email, cid.email])
  const lines = sent.map(({ payload }) => textsOf(payload, 'en').line)
  for (const text of [
    /: back in range, 5\.0\s°C\. Box 3 in range since /,
    /: the device was taken off the order\. Box 3 had been out of range since /,
  ])
    expect(lines.filter((line) => text.test(line))).toHaveLength(1)
})

test('nobody hears that it is over who was not told of it', async () => {
  await choose(byMail(cid))
  // Nobody was told by mail: the escalation waited for the end of quiet hours.
  await quiet(cid, '00:00', '23:00')
  const { order, told } = await escalated()
  expect(told).toEqual([])
  await end(order.id)
  expect(await sentAfter(5)).toEqual([])
  expect(await sentAfter(12 * 60)).toEqual([])
  // Nor at all: it was acknowledged before somebody could be told.
  const other = await underWay(-60)
  await sentAfter(0)
  t.clock.advance(20 * minute)
  await watch()
  const { body } = await t.call('GET', `/dispatch/orders/${other.id}/warnings`, { token: admin.token })
  await t.call('PATCH', `/dispatch/warnings/${body.payload[0].id}/acknowledge`, { token: admin.token, body: {} })
  const before = (await linesOf(cid)).length
  await end(other.id)
  expect(await sentAfter(5)).toEqual([])
  expect(await linesOf(cid)).toHaveLength(before)
  // A warning that was not escalated ends as before: in the app, for the first recipients.
  const third = await underWay(-60)
  expect(to(await sentAfter(0))).toEqual([ben.email])
  await isDue(third.id, 6_000)
  expect(await sentAfter(5)).toEqual([])
})

test('of a rota the one hears who was told, also after the hand-over; not who may not view dispatch any more', async () => {
  const rota = await aRota(t, admin, { people: [cid.id, admin.id], startsOn: '2026-11-16' })
  await choose([{ rotaId: rota.id, channels: ['mail'] }])
  const { order, told } = await escalated()
  expect(told).toEqual([cid.email])
  t.clock.advance(7 * 24 * 60 * minute)
  await end(order.id)
  expect(to(await sentAfter(0))).toEqual([cid.email])
  const next = await escalated()
  expect(next.told).toEqual([admin.email])
  t.clock.advance(7 * 24 * 60 * minute)
  const third = await escalated()
  expect(third.told).toEqual([cid.email])
  await setMatrix(t, admin.companyId, 'staff', only('devices.view'))
  await end(third.order.id)
  expect(await sentAfter(0)).toEqual([])
})

test('it waits for the end of quiet hours, and is sent then', async () => {
  await choose(byMail(cid))
  const { order, told } = await escalated()
  expect(told).toEqual([cid.email])
  await quiet(cid, '12:00', '23:00')
  await isDue(order.id, 6_000)
  expect(await sentAfter(5)).toEqual([])
  expect(to(await sentAfter(12 * 60))).toEqual([cid.email])
})

test('a second recipient who is a first one, too, has one line of it in the app', async () => {
  await choose(byMail(cid), byMail(cid))
  const { order } = await escalated()
  await isDue(order.id, 6_000)
  expect(to(await sentAfter(5))).toEqual([cid.email])
  expect((await linesOf(cid)).filter(({ severity }) => severity === 'info')).toHaveLength(1)
})
