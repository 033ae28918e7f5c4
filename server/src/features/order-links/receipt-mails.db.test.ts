import { randomUUID } from 'node:crypto'
import { orderLinkLimits } from '@isotherm/contract/order-links.ts'
import { beforeEach, expect, test } from 'vitest'
import { describeApp } from '../../../test/describe-app.ts'
import { aDevice } from '../../../test/device-factory.ts'
import { aDriver, aVehicle } from '../../../test/dispatch-factory.ts'
import { buildUser, type TestUser } from '../../../test/factories.ts'
import { formOf, formType } from '../../../test/form.ts'
import { mailsTo } from '../../../test/mailed.ts'
import { anOrder } from '../../../test/order-factory.ts'
import { trailOf } from '../../../test/trail.ts'
import { acting } from '../../core/orders/acts/act-context.ts'
import { startOrder } from '../../core/orders/acts/start-order.ts'
import { lockOrder } from '../../core/orders/order-queries.ts'
import { inTenant } from '../../platform/db/transaction.ts'
import { sweepKept } from '../../sweep-kept.ts'
import { insertReceiptMail } from './receipt-mail-queries.ts'

const t = describeApp()

let admin: TestUser
beforeEach(async () => {
  admin = await buildUser(t)
})

interface HandedOver {
  orderId: string
  deviceId: number
  /** The path of the receiver's calls. */
  path: string
  /** The token of the receiver's page. */
  token: string
}

/** Goods of an order under way that a member handed over to a clinic with a mail address, or none. */
async function handedOver(email: string | null = 'clinic@example.test', more: object = {}): Promise<HandedOver> {
  const { companyId } = admin
  const device = await aDevice(t, { companyId, visibility: 'public' })
  const [driver, vehicle] = [await aDriver(t, { companyId }), await aVehicle(t, { companyId })]
  const order = await anOrder(t, {
    ...{ companyId, driverId: driver.id, vehicleId: vehicle.id, deviceIds: [device.id] },
    receivers: [{ name: 'Clinic', email, ...more }],
  })
  const by = { source: 'person' as const, name: admin.fullname, userId: admin.id }
  const actor = { kind: 'user' as const, id: admin.id, name: admin.fullname, role: 'admin' }
  await acting(t.services, { companyId, by, actor, seesPrivate: true }, async (ctx) =>
    startOrder(ctx, await lockOrder(ctx, order.id), {}),
  )
  t.clock.advance(60_000)
  const path = `/dispatch/orders/${order.id}/receivers/${order.receivers[0]?.id}`
  const facts = { outcome: 'delivered', signerName: 'Ada', at: t.clock.now().toISOString(), requestId: randomUUID() }
  const given = await t.app.inject({
    ...{ method: 'POST', url: `/app/api/v1${path}/handover`, payload: formOf({ facts: JSON.stringify(facts) }) },
    headers: { 'content-type': formType, authorization: `Bearer ${admin.token}` },
  })
  expect(given.statusCode, given.body).toBe(200)
  const { body } = await t.call('POST', `${path}/link`, { token: admin.token })
  await t.runJobs()
  return { orderId: order.id, deviceId: device.id, path, token: body.payload.url.split('#')[1] }
}

const send = (user: TestUser, { path }: HandedOver, body: object) =>
  t.call('POST', `${path}/receipt/mail`, { token: user.token, body })
const ask = (token: string, email: string, locale = 'en') =>
  t.call('POST', '/track/receipt', { body: { token, email }, headers: { 'accept-language': locale } })
const shownMails = async ({ orderId }: HandedOver) => {
  await t.runJobs()
  const { body } = await t.call('GET', `/dispatch/orders/${orderId}/handovers`, { token: admin.token })
  return body.payload[0].receiptMails
}
const receiptsTo = async (email: string) =>
  (await mailsTo(t, email)).filter(({ attachments }) => attachments?.[0]?.filename === 'receipt.pdf')

test('the receipt that a hand-over mails by itself is told of, once however often its job runs', async () => {
  const given = await handedOver()
  expect(await shownMails(given)).toEqual([
    { to: 'clinic@example.test', cause: 'handOver', by: null, state: 'sent', at: expect.any(String) },
  ])
  expect(await receiptsTo('clinic@example.test')).toHaveLength(1)
  const [{ id = '' } = {}] = await t.rows<{ id: string }>('select id from handovers where order_id = $1', [
    given.orderId,
  ])
  const again = { handOverId: id, cause: 'handOver', linkId: null, askedBy: null, at: t.clock.now() } as const
  const inserted = await inTenant(t.pool, admin.companyId, ({ tx }) =>
    insertReceiptMail({ tx, companyId: admin.companyId }, { ...again, to: { address: 'a@b.test', locale: 'en' } }),
  )
  expect(inserted).toBeUndefined()
})

test('a member mails a receipt to the receiver and to the team: each in their language, and the order says so', async () => {
  const given = await handedOver('ward@example.test')
  const colleague = await buildUser(t, { company: admin, role: 'manager', locale: 'fr' })
  expect(await send(admin, given, { recipients: [colleague.id], toReceiver: true })).toMatchObject({ status: 200 })
  expect(await shownMails(given)).toMatchObject([
    { cause: 'handOver' },
    { to: 'ward@example.test', cause: 'person', by: admin.fullname, state: 'sent' },
    { to: colleague.fullname, cause: 'person', by: admin.fullname, state: 'sent' },
  ])
  expect(await receiptsTo('ward@example.test')).toHaveLength(2)
  const [mail] = await receiptsTo(colleague.email)
  expect(mail?.subject).toContain('reçu de')
  expect(mail?.text).toContain(`/dispatch/order/${given.orderId}`)
  expect((await trailOf(t, admin.companyId)).at(-1)).toMatchObject({
    ...{ action: 'orders.receiptMailed', actor: { kind: 'user' } },
    after: { receiver: 'Clinic', recipients: 1, toReceiver: true, to: 'w…@example.test' },
  })
})

test('what somebody typed is no link in the mails to a receiver, and an address stays as it is', async () => {
  const email = 'noplace@example.test'
  await handedOver(email, { name: 'Prize: https://evil.test/win', address: 'H.No/12, www.evil.test' })
  const texts = (await mailsTo(t, email)).map(({ subject, text }) => `${subject}\n${text}`)
  expect(texts).toEqual([
    expect.stringMatching(/Prize: https: \/\/evil\. test\/win[\s\S]*H\.No\/12, www\. evil\. test/),
    expect.stringContaining('Prize: https: //evil. test/win'),
  ])
})

test('two clicks mail once while the first mail waits', async () => {
  const given = await handedOver()
  await Promise.all([0, 1].map(() => send(admin, given, { toReceiver: true })))
  expect(await shownMails(given)).toHaveLength(2)
  await send(admin, given, { toReceiver: true })
  expect(await shownMails(given)).toHaveLength(3)
})

test('whom a receipt may go to, and who may send it', async () => {
  const given = await handedOver(null)
  const stranger = await buildUser(t)
  const refusals: [object, string][] = [
    [{}, 'recipients'],
    [{ recipients: [stranger.id] }, 'recipients.0'],
    [{ toReceiver: true }, 'toReceiver'],
    [{ recipients: ['nobody'] }, 'recipients.0'],
    [{ toReceiver: 'yes' }, 'toReceiver'],
    [{ recipients: Array(21).fill(admin.id) }, 'recipients'],
    [{ toReceiver: true, address: 'x@y.test' }, 'address'],
  ]
  for (const [body, field] of refusals) {
    const { status, body: answer } = await send(admin, given, body)
    expect([status, Object.keys(answer.fields ?? answer.errors ?? {})], JSON.stringify([body, answer])).toEqual([
      422,
      [field],
    ])
  }
  expect(await send(stranger, given, { recipients: [stranger.id] })).toMatchObject({ status: 404 })
  const staff = await buildUser(t, { company: admin, role: 'staff' })
  expect(await send(staff, given, { recipients: [admin.id] })).toMatchObject({ status: 403 })
  expect(await shownMails(given)).toEqual([])
})

test('who may not see the devices of a receipt by the time of sending gets none', async () => {
  const given = await handedOver()
  const manager = await buildUser(t, { company: admin, role: 'manager' })
  await t.change(admin.companyId, `update handovers set verdict = jsonb_set(verdict, '{devices}', $1)`, [
    JSON.stringify([given.deviceId]),
  ])
  expect(await send(admin, given, { recipients: [manager.id, admin.id], toReceiver: true })).toMatchObject({
    status: 200,
  })
  await t.change(admin.companyId, `update devices set visibility = 'private' where id = $1`, [given.deviceId])
  const mails = (await shownMails(given)) as { to: string; state: string }[]
  expect(mails.slice(1).map(({ to, state }) => [to, state])).toEqual([
    ['clinic@example.test', 'dropped'],
    ...[manager, admin].map((one) => [one.fullname, one === admin ? 'sent' : 'dropped']),
  ])
  expect(await receiptsTo(manager.email)).toEqual([])
  // Neither the page nor a member who does not see the device has a receipt to mail now.
  expect(await send(manager, given, { recipients: [admin.id] })).toMatchObject({ status: 404 })
  expect(await ask(given.token, 'ada@example.test')).toMatchObject({ status: 404 })
  expect((await t.call('POST', '/track', { body: { token: given.token } })).body.payload.mailsReceipt).toBe(false)
})

test('a receipt that became void by the time of sending is not mailed, and none can be asked for', async () => {
  const given = await handedOver()
  await send(admin, given, { toReceiver: true })
  await t.change(admin.companyId, 'update handovers set void_at = now()')
  expect(await shownMails(given)).toMatchObject([{ state: 'sent' }, { state: 'dropped' }])
  expect(await send(admin, given, { toReceiver: true })).toMatchObject({ status: 404 })
})

test('before the hand-over there is no receipt, for a member and for the page', async () => {
  const order = await anOrder(t, { companyId: admin.companyId })
  const path = `/dispatch/orders/${order.id}/receivers/${order.receivers[0]?.id}`
  const { body } = await t.call('POST', `${path}/link`, { token: admin.token })
  const before = { orderId: order.id, deviceId: 0, path, token: body.payload.url.split('#')[1] }
  expect(await send(admin, before, { recipients: [admin.id] })).toMatchObject({ body: { code: 'RECEIVER_OPEN' } })
  expect(await ask(before.token, 'ada@example.test')).toMatchObject({ status: 400 })
})

test('a receiver has the receipt mailed to one address, in the language of the page, and learns nothing of earlier mails', async () => {
  const given = await handedOver()
  expect((await t.call('POST', '/track', { body: { token: given.token } })).body.payload.mailsReceipt).toBe(true)
  const first = await ask(given.token, ' Ada@Example.test ', 'sw')
  await t.runJobs()
  const [again, own] = [await ask(given.token, 'ada@example.test', 'sw'), await ask(given.token, 'clinic@example.test')]
  for (const { status, body } of [again, own]) expect([status, body]).toEqual([first.status, first.body])
  const [mail] = await receiptsTo('ada@example.test')
  expect(mail?.subject).toContain('risiti ya')
  // Nothing that somebody typed on the page greets a stranger.
  expect(mail?.text).not.toContain('Ada')
  expect((await shownMails(given)).at(-1)).toMatchObject({ to: 'clinic@example.test', cause: 'receiverLink', by: null })
  expect((await trailOf(t, admin.companyId)).at(-1)).toMatchObject({
    ...{ action: 'orders.receiptMailed', actor: { kind: 'guest' }, after: { byLink: true, to: 'c…@example.test' } },
  })
  for (const email of ['', 'ada', 'a@b.test, c@d.test', 'a@b.test\r\nBcc: c@d.test', null, ['a@b.test']])
    expect((await ask(given.token, email as string)).status).toBe(422)
  expect(await ask('unknown', 'ada@example.test')).toMatchObject({ body: { code: 'LINK_INVALID' } })
})

test('mails are limited by link and by company, within 24 hours; a member is not shut out by a link', async () => {
  const given = await handedOver()
  const { perLink, perCompany } = orderLinkLimits.receiptMails
  for (let n = 0; n < perLink; n++) expect((await ask(given.token, `a${n}@example.test`)).status).toBe(200)
  expect(await ask(given.token, 'a0@example.test')).toMatchObject({ status: 429 })
  expect(await send(admin, given, { toReceiver: true })).toMatchObject({ status: 200 })
  t.clock.advance(25 * 3_600_000)
  expect((await ask(given.token, 'b@example.test')).status).toBe(200)
  const other = await handedOver('other@example.test')
  await t.change(
    admin.companyId,
    `insert into receipt_mails (company_id, handover_id, cause, address, locale, link_id, asked_at, state, settled_at)
     select company_id, handover_id, cause, address, locale, link_id, asked_at, 'sent', asked_at
     from (select * from receipt_mails where cause = 'receiverLink' order by id desc limit 1) m cross join generate_series(2, $1)`,
    [perCompany],
  )
  const refused = await ask(other.token, 'c@example.test')
  expect(refused.status).toBe(429)
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(86_000)
  expect(await send(admin, other, { toReceiver: true })).toMatchObject({ status: 200 })
})

test('an address is masked after 90 days, and not a night before; that it was mailed stays, and one that still waits is not sent', async () => {
  const day = 86_400_000
  const given = await handedOver()
  await send(admin, given, { recipients: [admin.id] })
  await ask(given.token, 'ada@example.test')
  await t.runJobs()
  await ask(given.token, 'late@example.test')
  const tos = async () => (await shownMails(given)).map(({ to, state }: { to: string; state: string }) => [to, state])
  const addresses = () =>
    t.rows<{ address: string; state: string }>(
      'select address, state from receipt_mails where company_id = $1 and address is not null order by id',
      [admin.companyId],
    )
  t.clock.advance(89 * day)
  await sweepKept.run(t.services, {})
  expect((await addresses()).map(({ address }) => address)).toEqual([
    ...['clinic@example.test', 'ada@example.test', 'late@example.test'],
  ])
  t.clock.advance(2 * day)
  await Promise.all([sweepKept.run(t.services, {}), sweepKept.run(t.services, {})])
  expect(await addresses()).toEqual([
    { address: 'c…@example.test', state: 'sent' },
    { address: 'a…@example.test', state: 'sent' },
    { address: 'l…@example.test', state: 'dropped' },
  ])
  await t.runJobs()
  expect(await tos()).toEqual([
    ['c…@example.test', 'sent'],
    [admin.fullname, 'sent'],
    ['a…@example.test', 'sent'],
    ['l…@example.test', 'dropped'],
  ])
  expect(await receiptsTo('late@example.test')).toEqual([])
  // Neither the address nor a part of it that tells more is left anywhere: the trail had it masked from the beginning.
  expect(JSON.stringify(await trailOf(t, admin.companyId))).not.toMatch(/ada@|late@/)
})
