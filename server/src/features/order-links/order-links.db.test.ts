import { randomUUID } from 'node:crypto'
import { crc32, deflateSync } from 'node:zlib'
import { Party } from '@isotherm/contract/orders.ts'
import PDFDocument from 'pdfkit'
import { beforeEach, expect, test, vi } from 'vitest'
import { describeApp, describePipeline } from '../../../test/describe-app.ts'
import { aDevice } from '../../../test/device-factory.ts'
import { aDriver, aVehicle } from '../../../test/dispatch-factory.ts'
import { buildUser, type TestUser } from '../../../test/factories.ts'
import { formOf, formType, SentFile } from '../../../test/form.ts'
import { giveLogo, logoPng } from '../../../test/logo-factory.ts'
import { mailsTo } from '../../../test/mailed.ts'
import { anOrder, apapa, type MadeOrder } from '../../../test/order-factory.ts'
import { picturesOf } from '../../../test/pictures-of.ts'
import { trailOf } from '../../../test/trail.ts'
import { conditionSources } from '../../app.ts'
import { type ActContext, acting } from '../../core/orders/acts/act-context.ts'
import { startOrder } from '../../core/orders/acts/start-order.ts'
import { arriveAt } from '../../core/orders/acts/visit-stop.ts'
import { lockOrder, type OrderRow } from '../../core/orders/order-queries.ts'
import { inTenant } from '../../platform/db/transaction.ts'
import { redactUrl } from '../../platform/log/log.ts'
import { forgetDriverPositions } from './drive-positions.ts'
import { sweepHandOvers } from './sweep-hand-overs.ts'

const t = describeApp()
const pipeline = describePipeline(t)
const minute = 60_000

const sweep = async () => {
  for (const job of sweepHandOvers(conditionSources)) await job.run(t.services, {})
}

let admin: TestUser
beforeEach(async () => {
  admin = await buildUser(t)
})

const bytesOf = (...parts: (Buffer | string)[]) => Buffer.concat(parts.map((part) => Buffer.from(part)))
const chunk = (type: string, data: Buffer) => {
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(bytesOf(type, data)))
  return bytesOf(length, type, data, sum)
}
/** A PNG as a canvas writes it; `pixels` in place of what belongs there. */
function png(side = 4, pixels = deflateSync(Buffer.alloc(side * (1 + side * 4)))): Buffer<ArrayBuffer> {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(side, 0)
  head.writeUInt32BE(side, 4)
  head.set([8, 6, 0, 0, 0], 8)
  const magic = Buffer.from('89504e470d0a1a0a', 'hex')
  return Buffer.from(bytesOf(magic, chunk('IHDR', head), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))))
}

const post = async (path: string, body: object) => {
  const { statusCode, body: text } = await t.app.inject({ method: 'POST', url: `/app/api/v1${path}`, payload: body })
  return { status: statusCode, text, payload: JSON.parse(text).payload, code: JSON.parse(text).code }
}
const sendForm = async (path: string, fields: object, token?: string) => {
  const { statusCode, body: text } = await t.app.inject({
    ...{ method: 'POST', url: `/app/api/v1${path}`, payload: formOf(fields) },
    headers: { 'content-type': formType, ...(token && { authorization: `Bearer ${token}` }) },
  })
  return { status: statusCode, text, payload: JSON.parse(text).payload, code: JSON.parse(text).code }
}
const as = (user: TestUser, method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object) =>
  t.call(method, path, { token: user.token, ...(body && { body }) })
const tokenOf = (url: string) => url.split('#')[1] ?? ''

/** Acts on an order in the name of the Admin. */
const byMember = (
  { id, company_id: companyId }: MadeOrder,
  work: (ctx: ActContext, order: OrderRow, act: object) => Promise<unknown>,
) => {
  const by = { source: 'person' as const, name: admin.fullname, userId: admin.id }
  const actor = { kind: 'user' as const, id: admin.id, name: admin.fullname, role: 'admin' }
  return acting(t.services, { companyId, by, actor, seesPrivate: true }, async (ctx) =>
    work(ctx, await lockOrder(ctx, id), {}),
  )
}

interface Scene {
  order: MadeOrder
  device: { imei: string; secret: string; id: number }
  /** The link of a receiver. */
  link(place?: number): Promise<string>
  driver(): Promise<string>
  /** Sends readings, one a minute up to now. */
  measures(temperatures: number[], at?: { lat: number; lon: number }): Promise<void>
}

/** An order that began half an hour ago, measured since then, to two receivers. */
async function underWay(
  more: { visibility?: 'private' | 'public'; email?: string; humidityMaxPct?: number } = {},
): Promise<Scene> {
  const { companyId } = admin
  const device = await aDevice(t, {
    ...{ companyId, name: 'Box 17', visibility: more.visibility ?? 'public' },
    limits: { temperatureMinC: 2, temperatureMaxC: 8, humidityMaxPct: more.humidityMaxPct ?? null },
  })
  const [driver, vehicle] = [await aDriver(t, { companyId }), await aVehicle(t, { companyId })]
  const order = await anOrder(t, {
    ...{ companyId, driverId: driver.id, vehicleId: vehicle.id, deviceIds: [device.id] },
    receivers: [
      { name: 'First Clinic', email: more.email ?? 'clinic@example.test', phone: '+2348031234567' },
      { name: 'Second <b>Clinic</b>', address: 'Victoria Island 9', lat: 6.43, lon: 3.42, phone: '+2348039999999' },
    ],
  })
  await byMember(order, startOrder)
  t.clock.advance(30 * minute)
  const link = async (place = 0) => {
    const { body } = await as(admin, 'GET', `/dispatch/orders/${order.id}/receivers/${order.receivers[place]?.id}/link`)
    return tokenOf(body.payload.url)
  }
  const driverToken = async () =>
    tokenOf((await as(admin, 'POST', `/dispatch/orders/${order.id}/driver-link`)).body.payload.url)
  const measures: Scene['measures'] = async (temperatures, at) => {
    const now = t.clock.now().getTime()
    const readings = temperatures.map((temperatureC, index) => ({
      at: new Date(now - (temperatures.length - 1 - index) * minute),
      ...{ temperatureC, ...(at && { lat: at.lat, lon: at.lon }) },
    }))
    await pipeline.send(device, readings)
  }
  return { order, device, link, driver: driverToken, measures }
}

const facts = (more: object = {}) => ({
  ...{ outcome: 'delivered', signerName: 'Ada Obi', signerRole: 'Nurse', at: t.clock.now().toISOString() },
  ...{ requestId: randomUUID(), ...more },
})
const signature = () => new SentFile('signature.png', png())

test('where the humidity is what left its limits, it is named with them', async () => {
  const { device, link } = await underWay({ humidityMaxPct: 60 })
  const at = (minutes: number) => new Date(t.clock.now().getTime() - minutes * minute)
  await pipeline.send(device, [
    { at: at(3), temperatureC: 5, humidityPct: 55 },
    { at: at(2), temperatureC: 6, humidityPct: 82 },
    { at: at(1), temperatureC: 5, humidityPct: 58 },
  ])
  const { payload } = await post('/track', { token: await link() })
  expect(payload.shown.conditions).toMatchObject({
    ...{ verdict: 'outOfRange', worst: { isOutside: false }, outMs: 0 },
    humidity: { limits: { min: null, max: 60 }, worstPct: 82, at: at(2).toISOString(), outMs: minute },
  })
})

test('a receiver reads their own stop: verdict, the one number, a chart; and nothing of others, hardware or money', async () => {
  const { order, device, link, measures } = await underWay()
  await measures([5, 6, 9.5, 7])
  const token = await link()
  const { status, payload, text } = await post('/track', { token, isOpening: true })
  expect(status).toBe(200)
  expect(payload).toMatchObject({
    ...{ state: 'waiting', orderState: 'inProgress', handOver: 'away', handedOver: null },
    items: [{ name: 'Vaccine box', quantity: 2, deliveredQuantity: null }],
    shown: {
      conditions: {
        ...{ verdict: 'outOfRange', now: { temperatureC: 7 }, limits: { min: 2, max: 8 }, readings: 4 },
        worst: { temperatureC: 9.5, isOutside: true },
      },
    },
  })
  const rows = await t.rows<{ id: string }>('select id from order_receivers where order_id = $1', [order.id])
  const others = ['Second', 'Victoria', '6.43', '+234', device.imei, 'Box 17', order.tracking_code, ':50000', 'worth']
  for (const secret of [...others, '"id"', 'price', 'currency', ...rows.map(({ id }) => `"${id}"`)])
    expect(text, secret).not.toContain(secret)
  const got = await t.app.inject({ method: 'GET', url: `/app/api/v1/track/${token}` })
  expect(JSON.parse(got.body).payload.shown).toEqual(payload.shown)
  expect(got.headers).toMatchObject({
    ...{ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer', 'x-robots-tag': 'noindex, nofollow' },
  })
  expect(redactUrl(`/app/api/v1/track/${token}`)).not.toContain(token)
  expect(redactUrl(`https://x.test/drive#${token}`)).not.toContain(token)
})

test('a position is shown to the receiver who is next, not to the one after', async () => {
  const { link, measures } = await underWay()
  await measures([5], { lat: 6.5, lon: 3.35 })
  expect((await post('/track', { token: await link(0) })).payload.position).toMatchObject({ lat: 6.5, lon: 3.35 })
  expect((await post('/track', { token: await link(1) })).payload.position).toBeNull()
})

test('a private device shows nothing, also once it became private, unless the order says so', async () => {
  const { order, device, link, measures } = await underWay()
  await measures([5], { lat: 6.5, lon: 3.35 })
  const read = async () => (await post('/track', { token: await link() })).payload
  expect((await read()).shown).not.toBeNull()
  await t.change(admin.companyId, `update devices set visibility = 'private' where id = $1`, [device.id])
  expect(await read()).toMatchObject({ shown: null, position: null })
  await t.change(admin.companyId, 'update orders set shows_private = true where id = $1', [order.id])
  expect((await read()).shown).not.toBeNull()
})

test('a page that has not changed is not sent again; a change, a private device and a revoked link count at once', async () => {
  const { order, device, link, measures } = await underWay()
  const token = await link()
  const first = (await post('/track', { token, isOpening: true })).payload
  const again = (stamp = first.stamp) => post('/track', { token, stamp })
  t.clock.advance(minute)
  const { payload } = await again()
  expect(payload).toEqual({ isUnchanged: true, againS: first.againS, at: t.clock.now().toISOString() })
  expect((await again('another')).payload).toMatchObject({ stamp: first.stamp, items: first.items })
  // Far from the door a reading moves the place alone.
  await measures([6], { lat: 6.5, lon: 3.35 })
  const moved = (await again()).payload
  expect(moved).toMatchObject({ position: { lat: 6.5 }, shown: first.shown })
  expect((await again(moved.stamp)).payload.isUnchanged).toBe(true)
  // After a while the conditions are worked out anew.
  t.clock.advance(10 * minute)
  const later = (await again(moved.stamp)).payload
  expect(later.shown.sha256).not.toBe(first.shown.sha256)
  await t.change(admin.companyId, `update devices set visibility = 'private' where id = $1`, [device.id])
  expect((await again(later.stamp)).payload).toMatchObject({ shown: null, position: null })
  await t.call('DELETE', `/dispatch/orders/${order.id}/receivers/${order.receivers[0]?.id}/link`, {
    token: admin.token,
  })
  expect((await again(later.stamp)).code).toBe('LINK_INVALID')
})

test('unknown, malformed, revoked, rotated, over, of a company that stopped paying: the same bytes', async () => {
  const bytes = async (token: string) => {
    const {
      'x-request-id': _id,
      'server-timing': _time,
      'x-begun-at': _at,
      date: _date,
      ...headers
    } = (await t.app.inject({ method: 'POST', url: '/app/api/v1/track', payload: { token } })).headers
    return [headers, (await post('/track', { token })).text]
  }
  const unknown = await bytes('x'.repeat(43))
  expect(unknown[1]).toContain('LINK_INVALID')
  for (const token of ['', 'x', '\u0000', '%00', 'x'.repeat(9_000), "' or 1=1 --"])
    expect(await bytes(token)).toEqual(unknown)
  const { order, link, driver } = await underWay()
  const first = await link()
  const path = `/dispatch/orders/${order.id}/receivers/${order.receivers[0]?.id}/link`
  expect((await bytes(await driver()))[1]).toEqual(unknown[1])
  const { body } = await as(admin, 'POST', path)
  expect(await bytes(first)).toEqual(unknown)
  const second = tokenOf(body.payload.url)
  expect(second).toBe(await link())
  expect((await post('/track', { token: second })).status).toBe(200)
  await as(admin, 'DELETE', path)
  expect(await bytes(second)).toEqual(unknown)
  expect((await as(admin, 'GET', path)).body.payload).toBeNull()
  const other = await link(1)
  await t.change(admin.companyId, 'update companies set subscription_until = $1', [t.clock.now()])
  expect(await bytes(other)).toEqual(unknown)
  await t.change(admin.companyId, 'update companies set subscription_until = null')
  t.clock.advance(91 * 86_400_000)
  expect(await bytes(other)).toEqual(unknown)
  const actions = (await trailOf(t, admin.companyId)).map(({ action }) => action)
  expect(actions).toEqual(expect.arrayContaining(['orders.linkRotated', 'orders.linkRevoked']))
})

test('a link is made as long as its page shows something: not of what is cancelled, long settled or, for a driver, ended', async () => {
  const driver = await aDriver(t, admin)
  const order = await anOrder(t, { companyId: admin.companyId, driverId: driver.id, receivers: [{}, {}] })
  const [first, second] = order.receivers.map(({ id }) => `/dispatch/orders/${order.id}/receivers/${id}/link`)
  const ofDriver = `/dispatch/orders/${order.id}/driver-link`
  const make = async (path = '') => {
    const { status, body } = await as(admin, 'POST', path)
    return status === 200 ? 'made' : body.code
  }
  const set = (change: string, ...values: unknown[]) => t.change(admin.companyId, change, [order.id, ...values])
  expect([await make(first), await make(ofDriver)]).toEqual(['made', 'made'])
  const hoursAgo = (hours: number) => new Date(t.clock.now().getTime() - hours * 60 * minute)
  await set(
    "update orders set state = 'completed', started_at = $2, ended_at = $3 where id = $1",
    hoursAgo(99),
    hoursAgo(2),
  )
  await set("update order_receivers set state = 'delivered', settled_at = $2 where order_id = $1", hoursAgo(71))
  await set('update order_receivers set settled_at = $2 where order_id = $1 and sequence = 2', hoursAgo(73))
  expect([await make(first), await make(second), await make(ofDriver)]).toEqual([
    ...['made', 'ORDER_LINK_OVER', 'ORDER_LINK_OVER'],
  ])
  await set("update order_receivers set state = 'cancelled', settled_at = $2 where order_id = $1", hoursAgo(1))
  await set("update orders set state = 'cancelled', ended_at = null, cancelled_at = $2 where id = $1", hoursAgo(1))
  expect([await make(first), await make(ofDriver)]).toEqual(['ORDER_LINK_OVER', 'ORDER_LINK_OVER'])
  // A link that is out can be called back.
  expect((await as(admin, 'DELETE', first ?? '')).status).toBe(200)
})

test('misses are limited by address and in all; a good link is answered all the same', async () => {
  const { link } = await underWay()
  const good = await link()
  const ask = (token: string, address: string) => t.call('POST', '/track', { body: { token }, address })
  const statuses = new Set<number>()
  for (let n = 0; n < 100; n++) statuses.add((await ask(`guess ${n}`, '10.9.0.1')).status)
  expect([...statuses]).toEqual([400, 429])
  expect((await ask(good, '10.9.0.1')).status).toBe(200)
  expect((await ask('guess', '10.9.0.2')).status).toBe(400)
})

test('a receiver signs only while the vehicle is there, for what they saw; then the link ends 72 hours later', async () => {
  const { order, link, measures } = await underWay()
  await measures([5, 6])
  const token = await link()
  const give = async (more: object, files: object = { signature: signature() }) => {
    const { shown } = (await post('/track', { token })).payload
    const seen = shown && { to: shown.conditions.to, sha256: shown.sha256 }
    return sendForm('/track/handover', { token, facts: JSON.stringify(facts({ shown: seen, ...more })), ...files })
  }
  expect((await give({})).code).toBe('NOT_AT_THE_STOP')
  t.clock.advance(minute)
  await measures([6], apapa)
  expect((await post('/track', { token })).payload.handOver).toBe('now')
  expect((await give({ shown: null })).code).toBe('HANDOVER_CHANGED')
  expect((await give({}, {})).status).toBe(422)
  const stale = (await post('/track', { token })).payload.shown
  const forged = { to: stale.conditions.to, sha256: 'f'.repeat(64) }
  expect((await give({ shown: forged })).code).toBe('HANDOVER_CHANGED')
  const photo1 = new SentFile('door.png', png(8))
  const items = [{ item: 0, delivered: 1, reason: 'One box was wet' }]
  const done = await give({ outcome: 'partlyDelivered', items, reservation: 'Wet' }, { signature: signature(), photo1 })
  expect(done.status, done.text).toBe(200)
  expect(done.payload).toMatchObject({
    ...{ state: 'partlyDelivered', handOver: 'no', handedOver: { signerName: 'Ada Obi', reservation: 'Wet' } },
    items: [{ deliveredQuantity: 1, refusedReason: 'One box was wet' }],
  })
  expect((await give({})).code).toBe('RECEIVER_SETTLED')
  await giveLogo(t, admin)
  const printing = vi.spyOn(PDFDocument.prototype, 'text')
  await t.runJobs()
  const printed = printing.mock.calls.map(([text]) => String(text))
  printing.mockRestore()
  expect(printed.join('\n')).toContain('Ada Obi')
  // A value of another kind than text would be printed as such.
  expect(printed.filter((text) => /\[object|undefined|null|NaN/.test(text))).toEqual([])
  const { body } = await as(admin, 'GET', `/dispatch/orders/${order.id}/handovers`)
  expect(body.payload).toMatchObject([
    {
      ...{ source: 'receiverLink', wasShown: true, signatureSha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
      ...{ photos: [{ sha256: expect.any(String) }], receiptSha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
    },
  ])
  const receipt = await t.app.inject({
    ...{ method: 'GET', url: `/app/api/v1/dispatch/orders/${order.id}/receivers/${order.receivers[0]?.id}/receipt` },
    headers: { authorization: `Bearer ${admin.token}` },
  })
  expect([receipt.statusCode, receipt.rawPayload.subarray(0, 5).toString()]).toEqual([200, '%PDF-'])
  expect((await picturesOf(receipt.rawPayload))[0]).toBe('300x120')
  const mails = await mailsTo(t, 'clinic@example.test')
  expect(mails.slice(-2).map(({ subject }) => subject)).toEqual([
    expect.stringContaining('on its way'),
    expect.stringContaining('receipt'),
  ])
  t.clock.advance(71 * 3_600_000)
  expect((await post('/track', { token })).status).toBe(200)
  t.clock.advance(2 * 3_600_000)
  expect((await post('/track', { token })).code).toBe('LINK_INVALID')
})

test('a member who says that the vehicle is there lets the receiver sign', async () => {
  const { order, link } = await underWay()
  const token = await link()
  const receiver = order.receivers[0]?.id
  await byMember(order, (ctx, locked) => arriveAt(ctx, locked, receiver ?? '', {}))
  expect((await post('/track', { token })).payload.handOver).toBe('now')
})

test('readings that come later make a hand-over void; the receiver signs again for the same time', async () => {
  const { device, order, link, measures } = await underWay()
  await measures([6], apapa)
  const token = await link()
  const sign = async () => {
    const { shown } = (await post('/track', { token })).payload
    const seen = { to: shown.conditions.to, sha256: shown.sha256 }
    return sendForm('/track/handover', { token, facts: JSON.stringify(facts({ shown: seen })), signature: signature() })
  }
  expect((await sign()).status).toBe(200)
  t.clock.advance(2 * minute)
  await sweep()
  expect((await post('/track', { token })).payload.handOver).toBe('no')
  await pipeline.send(device, [{ at: new Date(t.clock.now().getTime() - 20 * minute), temperatureC: 12 }])
  await sweep()
  const again = (await post('/track', { token })).payload
  expect(again).toMatchObject({ handOver: 'again', shown: { conditions: { verdict: 'outOfRange' } } })
  await t.runJobs()
  expect((await mailsTo(t, 'clinic@example.test')).map(({ subject }) => subject)).toContainEqual(
    expect.stringContaining('sign for your delivery again'),
  )
  expect((await sign()).status).toBe(200)
  const { body } = await as(admin, 'GET', `/dispatch/orders/${order.id}/handovers`)
  expect(body.payload.map(({ voidAt }: { voidAt: string | null }) => voidAt !== null)).toEqual([true, false])
  const events = await t.rows('select kind from order_events where order_id = $1 order by id', [order.id])
  expect(events.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['handedOver', 'handOverVoid']))
})

test('readings that come later and change no verdict leave the hand-over, and are told of', async () => {
  const { device, order, link, measures } = await underWay()
  await measures([6], apapa)
  const token = await link()
  const { shown } = (await post('/track', { token })).payload
  const seen = { to: shown.conditions.to, sha256: shown.sha256 }
  const signed = await sendForm('/track/handover', {
    ...{ token, facts: JSON.stringify(facts({ shown: seen })), signature: signature() },
  })
  expect(signed.status).toBe(200)
  const read = async () => (await as(admin, 'GET', `/dispatch/orders/${order.id}/handovers`)).body.payload[0]
  const before = await read()
  expect(before).toMatchObject({ voidAt: null, readingsAddedAt: null })
  t.clock.advance(2 * minute)
  await pipeline.send(device, [{ at: new Date(t.clock.now().getTime() - 20 * minute), temperatureC: 6 }])
  await sweep()
  const added = t.clock.now().toISOString()
  expect(await read()).toEqual({ ...before, readingsAddedAt: added })
  expect((await post('/track', { token })).payload.handOver).toBe('no')
  // Nothing new is nothing to tell; later ones that change the verdict make it void all the same.
  t.clock.advance(2 * minute)
  await sweep()
  expect(await read()).toMatchObject({ readingsAddedAt: added })
  await pipeline.send(device, [{ at: new Date(t.clock.now().getTime() - 21 * minute), temperatureC: 12 }])
  await sweep()
  expect(await read()).toMatchObject({ voidAt: t.clock.now().toISOString() })
  const kept = await t.rows(
    `select verdict->>'readings' <> readings_now as "differs" from handovers where order_id = $1`,
    [order.id],
  )
  expect(kept).toEqual([{ differs: true }])
})

test('a driver tells the truth hours later: both times are kept, the same request counts once', async () => {
  const { order, driver, measures } = await underWay()
  await measures([5, 6])
  const token = await driver()
  const page = (await post('/drive', { token })).payload
  expect(page).toMatchObject({
    state: 'inProgress',
    stops: [{ stop: 1, doorQr: expect.arrayContaining([expect.stringMatching(/^[01]+$/)]) }, { stop: 2 }],
  })
  const arrivedAt = t.clock.now()
  t.clock.advance(3 * 60 * minute)
  const arrive = { token, kind: 'arrive', stop: 1, at: arrivedAt.toISOString(), requestId: randomUUID() }
  expect([(await post('/drive/acts', arrive)).status, (await post('/drive/acts', arrive)).status]).toEqual([200, 200])
  const at = new Date(arrivedAt.getTime() + 5 * minute).toISOString()
  const given = { token, stop: 1, facts: JSON.stringify(facts({ at })), signature: signature() }
  expect([
    (await sendForm('/drive/handover', given)).status,
    (await sendForm('/drive/handover', given)).status,
  ]).toEqual([200, 200])
  const refused = facts({ outcome: 'refused', at })
  expect((await sendForm('/drive/handover', { token, stop: 2, facts: JSON.stringify(refused) })).status).toBe(422)
  const why = facts({ outcome: 'refused', reason: 'Too warm', at })
  expect((await sendForm('/drive/handover', { token, stop: 2, facts: JSON.stringify(why) })).status).toBe(200)
  const end = { token, kind: 'end', at: t.clock.now().toISOString(), requestId: randomUUID() }
  expect((await post('/drive/acts', end)).status).toBe(200)
  const rows = await t.rows<{ kind: string; occurred_at: Date; source: string }>(
    `select kind, occurred_at, source from order_events where order_id = $1 and source = 'driverLink' order by id`,
    [order.id],
  )
  expect(rows.map(({ kind }) => kind)).toEqual(['arrived', 'handedOver', 'handedOver', 'ended'])
  expect(rows[0]?.occurred_at).toEqual(arrivedAt)
  const [handed] = await t.rows<{ occurred_at: Date; verdict: { wasShown: boolean } }>(
    'select occurred_at, verdict from handovers where order_id = $1 order by id',
    [order.id],
  )
  expect([handed?.occurred_at.toISOString(), handed?.verdict.wasShown]).toEqual([at, false])
})

test.each([
  ['a text', Buffer.from('<svg onload=alert(1)>')],
  ['a PNG whose pixels are missing', png(4, deflateSync(Buffer.alloc(3)))],
  ['a PNG whose pixels cannot be unpacked', png(4, Buffer.from('nonsense'))],
  ['a PNG with a filter that there is not', png(1, deflateSync(Buffer.from([9, 0, 0, 0, 0])))],
  ['a PNG that unpacks to more than its size', png(2, deflateSync(Buffer.alloc(5_000_000)))],
  ['a PNG larger than a glass', png(2_001, deflateSync(Buffer.alloc(10)))],
])('%s is no signature', async (_, bytes) => {
  const { driver } = await underWay()
  const hostile = { signature: new SentFile('signature.png', bytes as Buffer<ArrayBuffer>) }
  const { code } = await sendForm('/drive/handover', {
    token: await driver(),
    stop: 1,
    facts: JSON.stringify(facts()),
    ...hostile,
  })
  expect(code).toBe('FILE_REFUSED')
})

test('a photo is a picture of so many bytes at most, and facts are what they say', async () => {
  const { driver } = await underWay()
  const token = await driver()
  const give = (more: object, said: unknown = facts()) =>
    sendForm('/drive/handover', {
      token,
      stop: 1,
      facts: typeof said === 'string' ? said : JSON.stringify(said),
      ...more,
    })
  expect((await give({ photo1: new SentFile('a.jpg', '<html><script>') })).code).toBe('FILE_REFUSED')
  expect((await give({ photo1: new SentFile('a.jpg', Buffer.alloc(800_001)) })).status).toBe(422)
  expect((await give({ photo5: new SentFile('a.png', png()) })).status).toBe(422)
  for (const said of ['{', '[]', 'null', facts({ price: 1 }), facts({ items: [{ item: 0, delivered: 3 }] })])
    expect((await give({}, said)).status, JSON.stringify(said)).toBe(422)
  expect(await t.rows('select id from handovers where company_id = $1', [admin.companyId])).toEqual([])
})

test('a driver who agrees lets the phone tell where it is: where no tracker does, to dispatch only, until they end it', async () => {
  const { order, driver, link, measures } = await underWay()
  const stranger = await buildUser(t)
  const [token, receiver] = [await driver(), await link()]
  const place = { lat: 6.5, lon: 3.35 }
  const at = (ms: number) => new Date(t.clock.now().getTime() - ms).toISOString()
  const tell = (ms: number, more: object = {}) =>
    post('/drive/positions', { token, positions: [{ at: at(ms), ...place, accuracyM: 12, ...more }] })
  const kept = () =>
    t.rows('select at, lat_e7, accuracy_m from driver_positions where order_id = $1 order by at', [order.id])
  const tracked = async () => (await as(admin, 'GET', `/trackDispatch/${order.id}`)).body.payload
  // Without the agreement nothing is kept.
  expect((await tell(minute)).status).toBe(200)
  expect(await kept()).toEqual([])
  expect((await post('/drive', { token })).payload.tellsPosition).toBe(false)
  await post('/drive/agreement', { token, agrees: true })
  await post('/drive/agreement', { token, agrees: true })
  expect((await post('/drive', { token })).payload.tellsPosition).toBe(true)
  const phones = async () => (await tracked()).devices.filter(({ kind }: { kind: string }) => kind === 'phone')
  expect(await phones()).toEqual([
    expect.objectContaining({ name: expect.any(String), imei: null, role: 'vehicle', position: null }),
  ])
  const [{ id: phoneId }] = await phones()
  // Before the start it is nobody's business; the same instant again is one.
  await tell(40 * minute)
  await tell(minute)
  await tell(minute)
  expect(await kept()).toEqual([{ at: new Date(at(minute)), lat_e7: 65_000_000, accuracy_m: 12 }])
  expect(await tracked()).toMatchObject({ placedBy: phoneId })
  expect(await phones()).toMatchObject([{ position: { ...place, accuracyM: 12, isLive: true }, temperature: null }])
  const map = async () => (await as(admin, 'GET', '/dispatch/map')).body.payload
  expect((await map()).orders.find(({ id }: { id: string }) => id === order.id)).toMatchObject({ placedBy: phoneId })
  expect((await map()).devices).toContainEqual(
    expect.objectContaining({ id: phoneId, kind: 'phone', position: expect.objectContaining(place) }),
  )
  const past = async (what: string, who = admin, deviceId = phoneId) =>
    (await as(who, 'GET', `/dispatch/orders/history${what}?orderId=${order.id}&deviceId=${deviceId}`)).body
  expect((await past('')).payload).toMatchObject({ deviceId: phoneId, data: [{ ...place, temperatureC: null }] })
  expect((await past('/chart')).payload).toMatchObject({ deviceId: phoneId, chart: null })
  expect((await past('/map-points')).payload.path).toMatchObject({ segments: [[place]], leftOut: 0 })
  // The phone of another driver is not of this order; and none is in the list of devices.
  expect((await past('', admin, 'phone-999999')).code).toBe('NOT_FOUND')
  expect((await past('', stranger)).code).toBe('NOT_FOUND')
  expect(JSON.stringify((await as(admin, 'GET', '/devices')).body)).not.toContain('phone-')
  expect((await post('/track', { token: receiver })).payload.position).toBeNull()
  // A tracker that tells its present place goes before it.
  await measures([5], apapa)
  expect((await tracked()).placedBy).toMatch(/^\d+$/)
  expect(await phones()).toMatchObject([{ id: phoneId, position: place }])
  const kinds = async () =>
    (
      await t.rows(`select kind from order_events where order_id = $1 and kind like 'position%' order by id`, [
        order.id,
      ])
    ).map(({ kind }) => kind)
  expect(await kinds()).toEqual(['positionAgreed'])
  await post('/drive/agreement', { token, agrees: false })
  expect(await kept()).toEqual([])
  expect(await phones()).toEqual([])
  expect((await past('/map-points')).code).toBe('NOT_FOUND')
  await tell(minute)
  expect(await kept()).toEqual([])
  expect(await kinds()).toEqual(['positionAgreed', 'positionEnded'])
  expect((await post('/drive/positions', { token: 'x'.repeat(43), positions: [{ at: at(0), ...place }] })).code).toBe(
    'LINK_INVALID',
  )
})

test('what a phone told late counts up to the end of the order, and is forgotten a week after it', async () => {
  const { order, driver } = await underWay()
  const token = await driver()
  await post('/drive/agreement', { token, agrees: true })
  await t.change(admin.companyId, `update orders set state = 'completed', ended_at = $1 where id = $2`, [
    ...[new Date(t.clock.now().getTime() - 5 * minute), order.id],
  ])
  const positions = [10, 6, 4].map((minutes) => ({
    ...{ at: new Date(t.clock.now().getTime() - minutes * minute).toISOString(), lat: 6.5, lon: 3.35 },
  }))
  await post('/drive/positions', { token, positions })
  const count = async () => (await t.rows('select from driver_positions where order_id = $1', [order.id])).length
  expect(await count()).toBe(2)
  t.clock.advance(6 * 24 * 60 * minute)
  await forgetDriverPositions.run(t.services, {})
  expect(await count()).toBe(2)
  t.clock.advance(24 * 60 * minute)
  await forgetDriverPositions.run(t.services, {})
  expect(await count()).toBe(0)
})

test('the page of a receiver has the logo of the company, but not beside the name of another sender', async () => {
  const { order, link } = await underWay()
  const token = await link()
  const logo = async (of = token) => {
    const answer = await t.app.inject({ method: 'POST', url: '/app/api/v1/track/logo', payload: { token: of } })
    return answer.statusCode === 200 ? answer.headers['content-type'] : JSON.parse(answer.payload).code
  }
  const opened = async () => (await post('/track', { token, isOpening: true })).payload.logoVersion
  const sendBy = (company: string) =>
    inTenant(t.pool, admin.companyId, async ({ tx }) => {
      const sender = JSON.stringify({ ...Party.parse(order.sender), company })
      await tx
        .updateTable('orders')
        .set({ sender })
        .where('company_id', '=', admin.companyId)
        .where('id', '=', order.id)
        .execute()
    })
  expect([await opened(), await logo()]).toEqual([null, 'NOT_FOUND'])
  const version = await giveLogo(t, admin, logoPng())
  expect([await opened(), await logo()]).toEqual([version, 'image/png'])
  expect(await logo(`${token}x`)).toBe('LINK_INVALID')
  await sendBy('Another Sender Ltd')
  expect([await opened(), await logo()]).toEqual([null, 'NOT_FOUND'])
  await as(admin, 'DELETE', `/dispatch/orders/${order.id}/receivers/${order.receivers[0]?.id}/link`)
  expect(await logo()).toBe('LINK_INVALID')
})
