import { beforeEach, expect, test } from 'vitest'
import { describeApp, describePipeline } from '../../../test/describe-app.ts'
import { aDevice } from '../../../test/device-factory.ts'
import { buildUser, type TestUser } from '../../../test/factories.ts'
import { anOrder } from '../../../test/order-factory.ts'
import { aRota } from '../../../test/rota-factory.ts'
import { tellAll } from '../../../test/told.ts'
import { textsOf } from '../../pipeline/notify/messages.ts'
import { estimateArrivals, watchOrderGoods } from '../order-tracking/jobs.ts'

const t = describeApp()
const pipeline = describePipeline(t)
const minute = 60_000
const week = 7 * 24 * 60
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

const settings = async () => (await t.call('GET', '/dispatch/settings', { token: admin.token })).body.payload
async function change(body: object) {
  const { currencyInUse: _, recipients: _r, escalation: _e, ...kept } = await settings()
  return t.call('PUT', '/dispatch/settings', { token: admin.token, body: { ...kept, ...body } })
}
const rotaOf = (people: TestUser[]) => aRota(t, admin, { people: people.map(({ id }) => id), startsOn: '2026-11-16' })
const byMail = (...users: TestUser[]) => users.map(({ id }) => ({ userId: id, channels: ['mail'] }))
const byRota = (rotaId: string) => [{ rotaId, channels: ['mail'] }]
const ofBoth = (list: object[]) => ({ late: list, outOfRange: list })

async function lateOrder(minutes = -60, deviceIds: number[] = [], names = ['Mercy Hospital']) {
  const order = await anOrder(t, {
    ...{ companyId: admin.companyId, deviceIds, receivers: names.map((name) => ({ name })) },
    more: { state: 'inProgress', started_at: at(-20), left_pickup_at: at(-20), deliver_by: at(minutes) },
  })
  await estimateArrivals.run(t.services, {})
  return order
}
const watch = () => watchOrderGoods.run(t.services, {})
/** Runs the job after some minutes, twice at once; the addresses that get mail meanwhile. */
async function mailedAfter(minutes: number): Promise<(string | null)[]> {
  t.clock.advance(minutes * minute)
  await Promise.all([watch(), watch()])
  return (await tellAll(t)).filter(({ channel }) => channel === 'mail').map(({ address }) => address)
}
const warningsOf = async (id: string) =>
  (await t.call('GET', `/dispatch/orders/${id}/warnings`, { token: admin.token })).body.payload
const acknowledge = (id: string, user = admin) =>
  t.call('PATCH', `/dispatch/warnings/${id}/acknowledge`, { token: user.token, body: {} })
const lines = async ({ token }: TestUser, kind = 'orderLate') =>
  (await t.call('GET', '/enterprise/notifications', { token, query: { kind } })).body.payload.data

test('the person on call is told, and of a reminder after the hand-over the next one', async () => {
  const rota = await rotaOf([ben, cid])
  const { body } = await change({ reminderMinutes: 30, recipients: ofBoth(byRota(rota.id)) })
  expect(body.payload.recipients.late).toMatchObject([
    { userId: null, rotaId: rota.id, name: rota.name, onCall: ben.fullname, mayView: true, channels: ['mail'] },
  ])
  const order = await lateOrder()
  expect(await mailedAfter(0)).toEqual([ben.email])
  expect(await mailedAfter(week)).toEqual([cid.email])
  expect((await settings()).recipients.late).toMatchObject([{ onCall: cid.fullname }])
  // Those of the rota acknowledge, also while it is not their turn.
  const [warning] = await warningsOf(order.id)
  expect((await acknowledge(warning.id, cid)).body.payload).toMatchObject({ state: 'acknowledged' })
  expect(await mailedAfter(30)).toEqual([])
})

test('a stand-in who was told acknowledges after the end of their turn, and nobody whose turn ended before', async () => {
  const [rota, stranger] = [await rotaOf([ben]), await buildUser(t, { company: admin, role: 'staff' })]
  await change({ recipients: ofBoth(byRota(rota.id)) })
  const standIn = (user: TestUser, from: number, to: number) =>
    t.call('POST', `/on-call/rotas/${rota.id}/overrides`, {
      token: admin.token,
      body: { userId: user.id, insteadOf: ben.id, from: at(from).toISOString(), to: at(to).toISOString() },
    })
  for (const added of [await standIn(stranger, 1, 20), await standIn(cid, 20, 60)]) expect(added.status).toBe(200)
  t.clock.advance(30 * minute)
  const order = await lateOrder()
  expect(await mailedAfter(0)).toEqual([cid.email])
  t.clock.advance(60 * minute)
  const [warning] = await warningsOf(order.id)
  expect((await acknowledge(warning.id, stranger)).body.code).toBe('NOT_TOLD')
  expect((await acknowledge(warning.id, cid)).body.payload).toMatchObject({ state: 'acknowledged' })
})

test('settings whose only second recipient was deleted escalate no more, and can be saved as they are shown', async () => {
  const rota = await rotaOf([ben])
  await change({ escalateMinutes: 20, escalation: ofBoth(byRota(rota.id)) })
  await t.call('DELETE', `/on-call/rotas/${rota.id}`, { token: admin.token })
  const { currencyInUse: _, ...shown } = await settings()
  expect(shown).toMatchObject({ escalateMinutes: null, escalation: { late: [], outOfRange: [] } })
  expect((await t.call('PUT', '/dispatch/settings', { token: admin.token, body: shown })).status).toBe(200)
})

test('a rota tells the next in turn who may see the order: of a private device an Admin', async () => {
  const [rota, box] = [
    await rotaOf([ben, cid, admin]),
    await aDevice(t, { companyId: admin.companyId, visibility: 'private', limits: { temperatureMaxC: 8 } }),
  ]
  await change({ recipients: ofBoth(byRota(rota.id)) })
  await t.call('DELETE', `/users/${ben.id}`, { token: admin.token })
  await lateOrder()
  expect(await mailedAfter(0)).toEqual([cid.email])
  await lateOrder(600, [box.id])
  await pipeline.send(box, [{ at: at(0), temperatureC: 9.4 }])
  expect(await mailedAfter(0)).toEqual([admin.email])
})

test('a rota that reaches nobody, or was deleted, leaves everybody who may view dispatch to hear of it in the app', async () => {
  const rota = await rotaOf([ben])
  await change({ recipients: ofBoth(byRota(rota.id)) })
  await t.call('DELETE', `/users/${ben.id}`, { token: admin.token })
  expect((await settings()).recipients.late).toMatchObject([{ rotaId: rota.id, onCall: null }])
  await lateOrder()
  expect(await mailedAfter(0)).toEqual([])
  expect([(await lines(cid)).length, (await lines(admin)).length]).toEqual([1, 1])
  await t.call('DELETE', `/on-call/rotas/${rota.id}`, { token: admin.token })
  expect((await settings()).recipients.late).toEqual([])
})

test('a rota of another company, a deleted one, and one whom the person may not see are refused at their fields', async () => {
  const stranger = await buildUser(t)
  const [theirs, gone, own] = [await aRota(t, stranger), await rotaOf([ben]), await rotaOf([cid])]
  await t.call('DELETE', `/on-call/rotas/${gone.id}`, { token: admin.token })
  for (const { id } of [theirs, gone]) {
    const { status, body } = await change({ recipients: { late: byRota(id), outOfRange: [] } })
    expect([status, Object.keys(body.fields)]).toEqual([422, ['recipients.late.0.rotaId']])
  }
  const second = { escalateMinutes: 5, escalation: { late: [], outOfRange: byRota(theirs.id) } }
  expect((await change(second)).body.fields).toHaveProperty(['escalation.outOfRange.0.rotaId'])
  for (const hostile of [
    { rotaId: 'x', channels: ['mail'] },
    { rotaId: own.id, channels: [] },
    { rotaId: own.id, userId: cid.id, channels: ['mail'] },
  ])
    expect((await change({ recipients: { late: [hostile], outOfRange: [] } })).status).toBe(422)
  expect(
    (await t.call('PUT', '/dispatch/settings', { token: cid.token, body: { recipients: ofBoth(byRota(own.id)) } }))
      .status,
  ).toBe(403)
})

test('an escalation needs both, its minutes within bounds; settings that are saved without it leave it', async () => {
  for (const escalateMinutes of [0, 1441, 7.5, '30'])
    expect((await change({ escalateMinutes, escalation: ofBoth(byMail(cid)) })).status).toBe(422)
  for (const half of [
    { escalateMinutes: 5 },
    { escalation: ofBoth(byMail(cid)) },
    { escalateMinutes: 5, escalation: ofBoth([]) },
  ])
    expect((await change(half)).body.fields).toHaveProperty('escalateMinutes')
  expect((await settings()).escalateMinutes).toBe(null)
  const whole = { escalateMinutes: 5, escalation: { late: byMail(cid), outOfRange: [] } }
  expect((await change(whole)).body.payload).toMatchObject({
    escalateMinutes: 5,
    escalation: { late: [{ userId: cid.id }] },
  })
  const { escalateMinutes: _, escalation: _e, currencyInUse: _c, recipients: _r, ...older } = await settings()
  await t.call('PUT', '/dispatch/settings', { token: admin.token, body: { ...older, recipients: ofBoth(byMail(ben)) } })
  expect(await settings()).toMatchObject({
    ...{ escalateMinutes: 5, escalation: { late: [{ userId: cid.id }], outOfRange: [] } },
    recipients: { late: [{ userId: ben.id }] },
  })
})

test('a warning that nobody acknowledges is told once to the second recipients, and the order says when', async () => {
  const stranger = await buildUser(t)
  await change({
    escalateMinutes: 20,
    recipients: ofBoth(byMail(ben)),
    escalation: ofBoth(byRota((await rotaOf([cid])).id)),
  })
  const order = await lateOrder()
  expect(await mailedAfter(19)).toEqual([ben.email])
  expect(await mailedAfter(1)).toEqual([cid.email])
  expect(await mailedAfter(600)).toEqual([])
  const when = at(-600).toISOString()
  const [warning] = await warningsOf(order.id)
  expect(warning).toMatchObject({ state: 'open', escalatedAt: when })
  const { body } = await t.call('GET', `/dispatch/orders/${order.id}/events`, { token: cid.token })
  const events = body.payload.filter(({ kind }: { kind: string }) => kind === 'warningEscalated')
  expect(events).toMatchObject([{ source: 'job', occurredAt: when }])
  expect((await lines(stranger)).length).toBe(0)
  expect((await acknowledge(warning.id, cid)).body.payload).toMatchObject({ state: 'acknowledged', escalatedAt: when })
})

test('what is acknowledged or over by then is not escalated, nor what is acknowledged before it is told', async () => {
  await change({ escalateMinutes: 20, recipients: ofBoth(byMail(ben)), escalation: ofBoth(byMail(cid)) })
  const [first, second, third] = [await lateOrder(), await lateOrder(), await lateOrder()]
  await mailedAfter(10)
  await acknowledge((await warningsOf(first.id))[0].id)
  await t.change(admin.companyId, 'update orders set deliver_by = $2 where id = $1', [second.id, at(6_000)])
  await estimateArrivals.run(t.services, {})
  t.clock.advance(10 * minute)
  await Promise.all([watch(), watch()])
  await acknowledge((await warningsOf(third.id))[0].id)
  expect(await mailedAfter(0)).toEqual([])
  const escalated = [first, second, third].map(async ({ id }) => (await warningsOf(id))[0].escalatedAt)
  expect((await Promise.all(escalated)).map((each) => each !== null)).toEqual([false, false, true])
})

test('an escalation that waits for the end of quiet hours does not go out once somebody has acknowledged', async () => {
  await change({ escalateMinutes: 20, recipients: ofBoth(byMail(ben)), escalation: ofBoth(byMail(cid)) })
  await t.change(
    admin.companyId,
    `insert into notification_settings (company_id, user_id, quiet_from, quiet_to, updated_at) values ($1, $2, '00:00', '23:00', now())`,
    [admin.companyId, cid.id],
  )
  const [order, other] = [await lateOrder(), await lateOrder(-60, [], ['Mercy Hospital', 'Hope Clinic'])]
  await mailedAfter(0)
  expect(await mailedAfter(20)).toEqual([])
  await acknowledge((await warningsOf(order.id))[0].id)
  // One message told of two stops: the other one is still open.
  const [stop, ...stops] = await warningsOf(other.id)
  expect(stops).toHaveLength(1)
  await acknowledge(stop.id)
  t.clock.advance(12 * 60 * minute)
  const sent = await tellAll(t)
  expect(sent.map(({ address }) => address)).toEqual([cid.email])
  expect(JSON.stringify(sent[0]?.payload)).toContain(`"orderId":"${other.id}"`)
})

test('a reminder and an escalation say so, in each language', async () => {
  await change({
    reminderMinutes: 30,
    escalateMinutes: 20,
    recipients: ofBoth(byMail(ben)),
    escalation: ofBoth(byMail(cid)),
  })
  await lateOrder()
  const told: string[][] = []
  for (const minutes of [0, 20, 10]) {
    t.clock.advance(minutes * minute)
    await watch()
    const [mail] = (await tellAll(t)).filter(({ channel }) => channel === 'mail')
    if (mail) told.push((['en', 'fr', 'es', 'sw'] as const).map((locale) => textsOf(mail.payload, locale).line))
  }
  const [first, escalation, reminder] = told
  expect(first?.[0]).toMatch(/^Order /)
  expect(escalation).toEqual([
    expect.stringMatching(/^Nobody acknowledged for 20\smin: Order .*, Mercy Hospital: .* late/),
    expect.stringMatching(/^Personne n’a acquitté depuis 20\smin\s: Commande /),
    expect.stringMatching(/^Nadie lo ha reconocido en 20\smin: Pedido /),
    expect.stringMatching(/^Hakuna aliyekubali kwa .*20.*: Oda /),
  ])
  expect(reminder).toEqual([
    expect.stringMatching(/^Still not acknowledged, since .*: Order .*, Mercy Hospital: .* late/),
    expect.stringMatching(/^Toujours pas acquitté, depuis le .*\s: Commande /),
    expect.stringMatching(/^Sigue sin reconocer, desde el .*: Pedido /),
    expect.stringMatching(/^Bado halijakubaliwa, tangu .*: Oda /),
  ])
  const [line] = await lines(ben)
  expect(line.text).toMatch(/^Still not acknowledged/)
})
