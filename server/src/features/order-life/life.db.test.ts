import { orderStates } from '@isotherm/contract/orders.ts'
import { describe, expect, test } from 'vitest'
import { describeApp, describePipeline } from '../../../test/describe-app.ts'
import { aDriver, aVehicle } from '../../../test/dispatch-factory.ts'
import { dispatchOf } from '../../../test/dispatch-scene.ts'
import { inCompany } from '../../../test/factories.ts'
import { lockWaits } from '../../../test/lock-waits.ts'
import { switchOn } from '../../core/events/feed-queries.ts'
import { showTrackingCode } from '../../domain/tracking-code.ts'
import { inTenant } from '../../platform/db/transaction.ts'
import { FailureLimit } from '../../platform/http/failure-limit.ts'
import { sweepSnoozes } from './jobs.ts'

const t = describeApp()
const pipeline = describePipeline(t)

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const at = (ms: number) => new Date(t.clock.now().getTime() + ms)
const kinds = (events: { kind: string }[]) => events.map(({ kind }) => kind).filter((kind) => kind !== 'linkMade')

describe('start', () => {
  test('begins a record of the cargo, and is told with both times', async () => {
    const d = await dispatchOf(t)
    const box = await d.device({ limits: { temperatureMinC: 2, temperatureMaxC: 8 } })
    const order = await d.order({ deviceIds: [box.id], more: { lot: 'VX-1', created_at: at(-2 * hour) } })
    const startedAt = at(-hour).toISOString()
    const answer = await d.act(order, 'start', { at: startedAt })
    expect(answer.body.payload).toMatchObject({
      ...{ state: 'inProgress', startedAt, driver: { name: d.driver.name }, vehicle: { plate: d.vehicle.plate } },
    })
    const { recordId } = answer.body.payload
    const record = (await d.ask('GET', `/enterprise/record/${recordId}`)).body.payload
    expect(record).toMatchObject({
      ...{ name: showTrackingCode(order.tracking_code), lot: 'VX-1', state: 'running', startAt: startedAt },
      order: { id: order.id, trackingCode: showTrackingCode(order.tracking_code) },
      devices: [{ id: String(box.id) }],
    })
    const started = (await d.events(order)).find(({ kind }) => kind === 'started')
    expect(started).toMatchObject({ occurredAt: startedAt, source: 'person', by: d.admin.fullname })
    for (const what of ['start', 'end'])
      expect((await d.ask('PUT', `/enterprise/record/${what}/${recordId}`)).body.code).toBe('RECORD_OF_ORDER')
    const removal = await t.call('DELETE', `/enterprise/record/${recordId}`, { token: d.admin.token })
    expect(removal.body.code).toBe('RECORD_OF_ORDER')
  })

  test('asks for a driver who works and a vehicle in service, neither with somebody else', async () => {
    const d = await dispatchOf(t)
    const codeWith = async (more: Parameters<typeof d.order>[0]) =>
      (await d.act(await d.order(more), 'start')).body.code
    const { companyId } = d
    expect(await codeWith({ driverId: null })).toBe('DRIVER_NEEDED')
    const idle = await aDriver(t, { companyId }, { status: 'inactive' })
    expect(await codeWith({ driverId: idle.id })).toBe('DRIVER_INACTIVE')
    expect(await codeWith({ vehicleId: null })).toBe('VEHICLE_NEEDED')
    expect(
      await codeWith({ vehicleId: (await aVehicle(t, { companyId }, { out_of_service_at: t.clock.now() })).id }),
    ).toBe('VEHICLE_UNAVAILABLE')
    await d.done(d.act(await d.order(), 'start'))
    await d.done(d.act(await d.order(), 'start'))
    const other = await aVehicle(t, { companyId })
    const busy = await d.act(await d.order({ vehicleId: other.id }), 'start')
    expect(busy.body).toMatchObject({ code: 'DRIVER_BUSY', message: `${d.driver.name} is driving ${d.vehicle.name}.` })
    const second = await aDriver(t, { companyId })
    expect(await codeWith({ driverId: second.id })).toBe('VEHICLE_BUSY')
    expect(await codeWith({ driverId: second.id, vehicleId: other.id })).toBeUndefined()
  })

  test('a cargo device is on one order in progress; one of the vehicle on all orders of that vehicle', async () => {
    const d = await dispatchOf(t)
    const [box, secret] = [await d.device({ name: 'Box 9' }), await d.device({ visibility: 'private' })]
    const tracker = await d.device({ name: 'Tracker' })
    const first = await d.order({ deviceIds: [box.id, secret.id] })
    await d.done(d.act(first, 'start'))
    const again = await d.act(await d.order({ deviceIds: [box.id] }), 'start')
    expect(again.body).toMatchObject({
      ...{
        code: 'DEVICE_BUSY',
        message: `Box 9 is on order ${showTrackingCode(first.tracking_code)}, which is in progress.`,
      },
    })
    const manager = (await dispatchUser(d)).token
    expect((await d.act(await d.order({ deviceIds: [secret.id] }), 'start', {}, manager)).body.code).toBe(
      'DEVICE_BUSY_UNSEEN',
    )
    for (let n = 0; n < 2; n++)
      await d.done(d.act(await d.order({ deviceIds: [tracker.id], role: 'vehicle' }), 'start'))
    const [driver, vehicle] = [await aDriver(t, d), await aVehicle(t, d)]
    const elsewhere = { driverId: driver.id, vehicleId: vehicle.id, deviceIds: [tracker.id], role: 'vehicle' as const }
    expect((await d.act(await d.order(elsewhere), 'start')).body.code).toBe('DEVICE_BUSY')
    await d.done(d.act(first, 'end', { rest: { outcome: 'delivered' } }))
    await d.done(d.act(await d.order({ deviceIds: [box.id] }), 'start'))
  })

  test('a week ahead it is another order; before it was made it has not happened; nor in the future', async () => {
    const d = await dispatchOf(t)
    const order = await d.order({ more: { deliver_by: at(10 * day), pickup_at: at(8 * day) } })
    expect((await d.act(order, 'start')).body.code).toBe('ORDER_TOO_EARLY')
    const ready = await d.order()
    expect((await d.act(ready, 'start', { at: at(-day).toISOString() })).body.code).toBe('TIME_OUT_OF_ORDER')
    expect((await d.act(ready, 'start', { at: at(6 * minute).toISOString() })).status).toBe(422)
    const startedAt = (await d.done(d.act(ready, 'start', { at: at(4 * minute).toISOString() }))) as {
      startedAt: string
    }
    expect(new Date(startedAt.startedAt) <= t.clock.now()).toBe(true)
  })

  test('a wrong code is refused, and after five nobody is asked for some time; a code reads in any spelling', async () => {
    const d = await dispatchOf(t)
    t.services.orderCodeFailures = new FailureLimit({ perAccount: 5, perCompany: 100, windowS: 900 })
    const [order, other] = [await d.order(), await d.order()]
    const guess = (id: string, code: string) => d.ask('PATCH', `/dispatch/orders/${id}/${code}/start`, {})
    const wrong = showTrackingCode(other.tracking_code)
    for (let n = 0; n < 5; n++) expect((await guess(order.id, wrong)).body.code).toBe('ORDER_CODE_WRONG')
    expect((await guess(order.id, order.tracking_code)).status).toBe(429)
    const loose = encodeURIComponent(wrong.toLowerCase().replaceAll('-', ' '))
    expect((await guess(other.id, loose)).status).toBe(200)
    t.services.orderCodeFailures = new FailureLimit({ perAccount: 1e6, perCompany: 1e6, windowS: 60 })
  })

  test('reasons that are known are kept as warnings; fitness says them before', async () => {
    const d = await dispatchOf(t)
    const warm = await d.device({ name: 'Warm', limits: { temperatureMinC: 2, temperatureMaxC: 8 } })
    const secret = await d.device({ visibility: 'private' })
    await pipeline.send(warm, [{ at: at(-minute), temperatureC: 8.04, batteryPct: 9 }])
    const order = await d.order({ deviceIds: [warm.id, secret.id], more: { shows_private: true } })
    const fitness = (token = d.admin.token) => d.done(d.ask('GET', d.path(order, '/fit'), undefined, token))
    const device = { id: String(warm.id), name: 'Warm' }
    const known = [
      { code: 'battery', device, value: '9 %' },
      { code: 'notPreCooled', device, value: '8.04 °C' },
    ]
    expect(await fitness(d.staff.token)).toMatchObject({ level: 'amber', refusal: null, warnings: known })
    expect(await fitness()).toMatchObject({ warnings: [...known, { code: 'silent' }, { code: 'noLimits' }] })
    await t.change(
      d.companyId,
      `insert into dispatch_settings (company_id, pre_cool_required, updated_at)
      values (${d.companyId}, true, now())`,
    )
    expect(await fitness()).toMatchObject({ level: 'red', refusal: { code: 'PRE_COOL_NEEDED' } })
    expect((await d.act(order, 'start')).body).toMatchObject({
      ...{ code: 'PRE_COOL_NEEDED', message: 'Warm is not within its limits yet: 8.04 °C.' },
    })
    await t.change(d.companyId, 'update dispatch_settings set pre_cool_required = false')
    await d.done(d.act(order, 'start'))
    const codes = async (token?: string) =>
      (await d.events(order, token)).filter(({ kind }) => kind === 'warned').map(({ detail }) => detail.code)
    expect(await codes()).toEqual(['battery', 'notPreCooled', 'silent', 'noLimits'])
    expect(await codes(d.staff.token)).toEqual(['battery', 'notPreCooled'])
  })

  test('a licence that ends before the day of the delivery, as the last stop counts days, is told of', async () => {
    const d = await dispatchOf(t)
    const driver = await aDriver(t, { companyId: d.companyId }, { licence_expires_on: '2026-12-01' })
    const fitness = async (deliverBy: string) => {
      const more = { deliver_by: new Date(deliverBy) }
      const order = await d.order({ driverId: driver.id, more })
      const fit = (await d.done(d.ask('GET', d.path(order, '/fit')))) as { warnings: { code: string; value: string }[] }
      return fit.warnings.filter(({ code }) => code === 'licence')
    }
    // In Lagos: on the last day of the licence, and half an hour after it.
    expect(await fitness('2026-12-01T22:30:00Z')).toEqual([])
    expect(await fitness('2026-12-01T23:30:00Z')).toMatchObject([{ value: '2026-12-01' }])
  })

  test('by the rule and it waits for the devices', async () => {
    const d = await dispatchOf(t)
    const order = await d.order({ more: { start_rule: 'and' } })
    expect(await d.done(d.act(order, 'start'))).toMatchObject({ state: 'new' })
    const left = await d.order({ more: { start_rule: 'and', created_at: at(-hour), left_pickup_at: at(-minute) } })
    expect(await d.done(d.act(left, 'start', { at: at(-2 * minute).toISOString() }))).toMatchObject({
      ...{ state: 'inProgress', startedAt: at(-minute).toISOString() },
    })
  })
})

async function dispatchUser(d: Awaited<ReturnType<typeof dispatchOf>>) {
  const { buildUser } = await import('../../../test/factories.ts')
  return buildUser(t, { company: { companyId: d.companyId }, role: 'manager' })
}

describe('end', () => {
  test('every receiver has an outcome; the record ends at the instant, and late readings before it count', async () => {
    const d = await dispatchOf(t)
    const box = await d.device({ limits: { temperatureMinC: 2, temperatureMaxC: 8 } })
    const order = await d.order({
      deviceIds: [box.id],
      receivers: [{ name: 'Ada' }, { name: 'Bola' }],
      more: { created_at: at(-5 * hour) },
    })
    await d.done(d.act(order, 'start', { at: at(-4 * hour).toISOString() }))
    await d.done(d.ofStop(order, 'settle', { outcome: 'delivered', at: at(-2 * hour).toISOString() }))
    expect((await d.act(order, 'end')).body).toMatchObject({
      ...{ code: 'RECEIVER_OPEN', message: 'Bola has not been served yet: say what became of these goods.' },
    })
    const early = await d.act(order, 'end', { at: at(-3 * hour).toISOString(), rest: { outcome: 'failed' } })
    expect(early.body).toMatchObject({ code: 'TIME_OUT_OF_ORDER', message: expect.stringContaining('the hand-over') })
    const endedAt = at(-hour).toISOString()
    const outcomes = [{ receiverId: order.receivers[1]?.id, outcome: 'failed', reason: 'Nobody there' }]
    const ended = await d.done(d.act(order, 'end', { at: endedAt, outcomes }))
    expect(ended).toMatchObject({
      ...{ state: 'completed', endedAt },
      receiverList: [
        { state: 'delivered', items: [{ deliveredQuantity: 2 }] },
        { state: 'failed', outcomeReason: 'Nobody there', settledAt: endedAt, items: [{ deliveredQuantity: 0 }] },
      ],
    })
    await pipeline.send(box, [
      { at: at(-3 * hour), temperatureC: 12 },
      { at: at(-2.9 * hour), temperatureC: 5 },
      { at: at(-30 * minute), temperatureC: 20 },
    ])
    const { recordId } = ended as { recordId: string }
    const record = (await d.ask('GET', `/enterprise/record/${recordId}`)).body.payload
    expect(record).toMatchObject({ state: 'ended', endAt: endedAt, excursions: 1 })
    expect(kinds(await d.events(order))).toEqual(['warned', 'started', 'handedOver', 'handedOver', 'ended'])
  })

  test('a phone that sends twice is heard once', async () => {
    const d = await dispatchOf(t)
    const order = await d.order()
    const once = { requestId: crypto.randomUUID() }
    await d.done(d.act(order, 'start', once))
    await d.done(d.act(order, 'start', once))
    const end = { requestId: crypto.randomUUID(), rest: { outcome: 'delivered' } }
    await d.done(d.act(order, 'end', end))
    await d.done(d.act(order, 'end', end))
    expect(kinds(await d.events(order)).filter((kind) => kind === 'ended')).toHaveLength(1)
    const key = { 'idempotency-key': 'second' }
    const other = await d.order()
    const path = d.path(other, `/${other.tracking_code}/start`)
    const first = await t.call('PATCH', path, { token: d.admin.token, body: {}, headers: key })
    expect((await t.call('PATCH', path, { token: d.admin.token, body: {}, headers: key })).body).toEqual(first.body)
  })

  test('the older calls answer as they did', async () => {
    const d = await dispatchOf(t)
    const order = await d.order()
    const body = { trackingCode: order.tracking_code }
    const started = await d.ask('PUT', `/dispatch/start/${order.id}`, body)
    expect(started.body).toMatchObject({ success: true, status: 'success', payload: { state: 'inProgress' } })
    const ended = await d.ask('PUT', `/dispatch/completion/${order.id}`, { ...body, rest: { outcome: 'delivered' } })
    expect(ended.body).toMatchObject({ success: true, status: 'success', payload: { state: 'completed' } })
    expect((await d.ask('PUT', `/dispatch/completion/${order.id}`, body)).body.code).toBe('ORDER_OVER')
  })
})

describe('cancel', () => {
  test('of a new order needs no reason; under way it does, and settles what is left', async () => {
    const d = await dispatchOf(t)
    const plan = await d.order()
    expect(await d.done(d.cancel(plan))).toMatchObject({ state: 'cancelled', receiverList: [{ state: 'cancelled' }] })
    const box = await d.device()
    const order = await d.order({ deviceIds: [box.id], receivers: [{}, {}] })
    await d.done(d.act(order, 'start'))
    await d.done(d.ofStop(order, 'settle', { outcome: 'delivered' }))
    expect((await d.cancel(order)).status).toBe(422)
    const cancelled = await d.done(d.cancel(order, { reason: 'Recalled', returnTo: 'Ikeja' }))
    expect(cancelled).toMatchObject({
      ...{ state: 'cancelled', cancelReason: 'Recalled', returnTo: 'Ikeja' },
      receiverList: [{ state: 'delivered' }, { state: 'cancelled' }],
    })
    const record = await d.ask('GET', `/enterprise/record/${(cancelled as { recordId: string }).recordId}`)
    expect(record.body.payload.state).toBe('ended')
    await d.done(d.act(await d.order({ deviceIds: [box.id] }), 'start'))
  })
})

describe('stops', () => {
  test('reached and left by hand; served before a fix tells of it, it was reached before', async () => {
    const d = await dispatchOf(t)
    const order = await d.order({ more: { created_at: at(-3 * hour) }, receivers: [{}, {}] })
    expect((await d.ofStop(order, 'arrive')).body.code).toBe('ORDER_NOT_STARTED')
    await d.done(d.act(order, 'start', { at: at(-2 * hour).toISOString() }))
    await d.done(d.ofStop(order, 'arrive', { at: at(-hour).toISOString() }))
    expect((await d.ofStop(order, 'depart', { at: at(-90 * minute).toISOString() })).body.code).toBe(
      'TIME_OUT_OF_ORDER',
    )
    const settledAt = at(-70 * minute).toISOString()
    expect(
      await d.done(d.ofStop(order, 'settle', { outcome: 'refused', reason: 'Warm', at: settledAt })),
    ).toMatchObject({
      receiverList: [
        { state: 'refused', arrivedAt: settledAt, settledAt, outcomeReason: 'Warm' },
        { state: 'waiting' },
      ],
    })
    expect((await d.ofStop(order, 'settle', { outcome: 'delivered' })).body.code).toBe('RECEIVER_SETTLED')
    await d.done(d.ofStop(order, 'settle', { outcome: 'delivered', at: at(-30 * minute).toISOString() }, 1))
    const late = at(-40 * minute).toISOString()
    expect(await d.done(d.ofStop(order, 'arrive', { at: late }, 1))).toMatchObject({
      receiverList: [{ state: 'refused' }, { state: 'delivered', arrivedAt: late }],
    })
    expect((await d.ofStop(order, 'arrive', {}, 1)).status).toBe(200)
  })

  test('parts of an item are delivered', async () => {
    const d = await dispatchOf(t)
    const order = await d.order()
    await d.done(d.act(order, 'start'))
    const { receiverList } = (await d.read(order)) as { receiverList: { items: { id: string }[] }[] }
    const items = [{ id: receiverList[0]?.items[0]?.id, deliveredQuantity: 1, refusedReason: 'Broken' }]
    for (const odd of [{ deliveredQuantity: 3 }, { id: '999' }]) {
      const refused = await d.ofStop(order, 'settle', { outcome: 'partlyDelivered', items: [{ ...items[0], ...odd }] })
      expect([refused.status, Object.keys(refused.body.fields)]).toEqual([422, ['items.0']])
    }
    expect(await d.done(d.ofStop(order, 'settle', { outcome: 'partlyDelivered', items }))).toMatchObject({
      receiverList: [{ items: [{ quantity: 2, deliveredQuantity: 1, refusedReason: 'Broken' }] }],
    })
  })

  test('the end of an order tells the parts of its stops: on the order, in its events, to other systems and in orders.csv', async () => {
    const d = await dispatchOf(t)
    const order = await d.order({ receivers: [{}, {}] })
    await d.done(d.act(order, 'start'))
    const { receiverList } = (await d.read(order)) as { receiverList: { id: string; items: { id: string }[] }[] }
    const [first, second] = receiverList
    await inCompany(t, d.companyId, ({ tx }) => switchOn({ tx, companyId: d.companyId }, t.clock.now()))
    const part = (more: object) => ({
      ...{ receiverId: first?.id, outcome: 'partlyDelivered', reason: 'Some broke' },
      items: [{ id: first?.items[0]?.id, deliveredQuantity: 1, refusedReason: 'Broken', ...more }],
    })
    for (const odd of [{ deliveredQuantity: 3 }, { id: second?.items[0]?.id }]) {
      const refused = await d.act(order, 'end', { outcomes: [part(odd)], rest: { outcome: 'delivered' } })
      expect([refused.status, Object.keys(refused.body.fields)]).toEqual([422, ['outcomes.0.items.0']])
    }
    const ended = await d.done(d.act(order, 'end', { outcomes: [part({})], rest: { outcome: 'delivered' } }))
    expect(ended).toMatchObject({
      receiverList: [
        { state: 'partlyDelivered', items: [{ quantity: 2, deliveredQuantity: 1, refusedReason: 'Broken' }] },
        { state: 'delivered', items: [{ deliveredQuantity: 2 }] },
      ],
    })
    const events = await t.call('GET', `/dispatch/orders/${order.id}/events`, { token: d.admin.token })
    const handedOver = events.body.payload.filter(({ kind }: { kind: string }) => kind === 'handedOver')
    expect(handedOver.map(({ detail }: { detail: object }) => detail)).toEqual([
      { outcome: 'partlyDelivered', reason: 'Some broke', items: ['1 / 2 × Vaccine box: Broken'] },
      { outcome: 'delivered', reason: null },
    ])
    const rows = await t.rows("select data from company_events where company_id = $1 and type = 'order.ended'", [
      d.companyId,
    ])
    const incomplete = [{ name: 'Vaccine box', quantity: 2, delivered: 1, reason: 'Broken' }]
    expect(rows).toMatchObject([
      {
        data: {
          stops: [
            { receiverId: first?.id, outcome: 'partlyDelivered', reason: 'Some broke', incomplete },
            { receiverId: second?.id, outcome: 'delivered', incomplete: [] },
          ],
        },
      },
    ])
    const csv = (await t.call('GET', '/dispatch/orders/export', { token: d.admin.token })).body as string
    const [head = '', line = ''] = csv.split('\r\n').map((row) => row.replaceAll('"', '').split(',').slice(-2).join())
    expect([head, line]).toEqual(['quantity,quantity_delivered', '4,3'])
  })

  test('a part of which nobody says how much is no whole, and what was refused is nothing', async () => {
    const d = await dispatchOf(t)
    const order = await d.order({ receivers: [{}, {}] })
    await d.done(d.act(order, 'start'))
    await d.done(d.ofStop(order, 'settle', { outcome: 'partlyDelivered', reason: 'Some broke' }))
    const { receiverList } = (await d.read(order)) as { receiverList: { items: { id: string }[] }[] }
    const items = [{ id: receiverList[1]?.items[0]?.id, deliveredQuantity: 2, refusedReason: 'Warm' }]
    expect(await d.done(d.ofStop(order, 'settle', { outcome: 'refused', items }, 1))).toMatchObject({
      receiverList: [
        { state: 'partlyDelivered', items: [{ deliveredQuantity: null }] },
        { state: 'refused', items: [{ deliveredQuantity: 0, refusedReason: 'Warm' }] },
      ],
    })
  })

  test('a snooze ends by hand, or by the clock at its own time, however late the sweep', async () => {
    const d = await dispatchOf(t)
    const order = await d.order({ receivers: [{}, {}] })
    await d.done(d.act(order, 'start'))
    const until = at(hour).toISOString()
    for (const wrong of [at(-minute), at(15 * day)])
      expect((await d.ofStop(order, 'snooze', { until: wrong.toISOString() })).status).toBe(422)
    await d.done(d.ofStop(order, 'snooze', { until, reason: 'Closed' }))
    expect(await d.done(d.ofStop(order, 'snooze', { until }, 1))).toMatchObject({ isSnoozed: true })
    expect(await d.done(d.ofStop(order, 'snooze', { until: null }, 1))).toMatchObject({
      ...{ isSnoozed: false, receiverList: [{ snoozedUntil: until, snoozeReason: 'Closed' }, { snoozedUntil: null }] },
    })
    t.clock.advance(3 * hour)
    await sweepSnoozes.run(t.services, {})
    await sweepSnoozes.run(t.services, {})
    const ended = (await d.events(order)).filter(({ kind }) => kind === 'unsnoozed')
    expect(ended.map(({ occurredAt, source }) => [occurredAt, source])).toContainEqual([until, 'job'])
    expect(ended).toHaveLength(2)
  })

  test('a stop that is snoozed for longer while the clock ends its snooze stays snoozed', async () => {
    const d = await dispatchOf(t)
    const order = await d.order()
    await d.done(d.act(order, 'start'))
    await d.done(d.ofStop(order, 'snooze', { until: at(hour).toISOString() }))
    t.clock.advance(hour)
    const longer = at(hour).toISOString()
    const { sweeping } = await inTenant(t.pool, d.admin.companyId, async ({ client }) => {
      await client.query('select from orders where company_id = $1 for update', [d.admin.companyId])
      const sweeping = sweepSnoozes.run(t.services, {})
      await lockWaits(t.pool)
      await client.query('update order_receivers set snoozed_until = $2 where company_id = $1', [
        ...[d.admin.companyId, longer],
      ])
      return { sweeping }
    })
    await sweeping
    expect(await d.read(order)).toMatchObject({ receiverList: [{ snoozedUntil: longer }] })
  })
})

test('every act from every state: done, or refused with who and when', async () => {
  const d = await dispatchOf(t)
  const inState = async (state: (typeof orderStates)[number]) => {
    const order = await d.order()
    if (state === 'new') return order
    if (state === 'cancelled') await d.done(d.cancel(order))
    else await d.done(d.act(order, 'start'))
    if (state === 'completed') await d.done(d.act(order, 'end', { rest: { outcome: 'delivered' } }))
    return order
  }
  const acts = {
    start: (order: Awaited<ReturnType<typeof inState>>) => d.act(order, 'start'),
    end: (order: Awaited<ReturnType<typeof inState>>) => d.act(order, 'end', { rest: { outcome: 'delivered' } }),
    cancel: (order: Awaited<ReturnType<typeof inState>>) => d.cancel(order, { reason: 'Recalled' }),
    snooze: (order: Awaited<ReturnType<typeof inState>>) =>
      d.ofStop(order, 'snooze', { until: at(hour).toISOString() }),
    arrive: (order: Awaited<ReturnType<typeof inState>>) => d.ofStop(order, 'arrive'),
    settle: (order: Awaited<ReturnType<typeof inState>>) => d.ofStop(order, 'settle', { outcome: 'delivered' }),
  }
  const answered: Record<string, Record<string, string>> = {}
  for (const state of orderStates) {
    answered[state] = {}
    for (const [name, act] of Object.entries(acts)) {
      const { status, body } = await act(await inState(state))
      if (status !== 200) expect(body.message, name).not.toContain('{{')
      if (['ORDER_STARTED', 'ORDER_OVER'].includes(body.code)) expect(body.message).toContain(d.admin.fullname)
      answered[state][name] = status === 200 ? 'done' : body.code
    }
  }
  const [done, not, over] = ['done', 'ORDER_NOT_STARTED', 'ORDER_OVER']
  const refused = { start: over, end: over, cancel: over, snooze: over, arrive: over, settle: over }
  expect(answered).toEqual({
    new: { start: done, end: not, cancel: done, snooze: done, arrive: not, settle: not },
    inProgress: { start: 'ORDER_STARTED', end: done, cancel: done, snooze: done, arrive: done, settle: done },
    completed: refused,
    cancelled: refused,
  })
})

test('driver, vehicle and devices change before and under way; a private device is for Admins to put on', async () => {
  const d = await dispatchOf(t)
  const [box, secret, other] = [await d.device(), await d.device({ visibility: 'private' }), await d.device()]
  const order = await d.order({ deviceIds: [box.id] })
  const manager = await dispatchUser(d)
  const change = (body: object, token?: string) => d.ask('PATCH', d.path(order, '/crew'), body, token)
  expect((await change({ version: 1, devices: [{ id: String(secret.id) }] }, manager.token)).status).toBe(404)
  expect((await change({ version: 1, driverId: '999999' })).status).toBe(404)
  await d.done(change({ version: 1, devices: [{ id: String(secret.id) }, { id: String(box.id) }] }))
  expect((await change({ version: 1 })).body.code).toBe('CHANGED_MEANWHILE')
  // Somebody who does not see the private device leaves it there.
  await d.done(change({ version: 2, devices: [{ id: String(other.id) }] }, manager.token))
  const { version } = (await d.done(d.act(order, 'start'))) as { version: number }
  const busy = await d.order({ deviceIds: [(await d.device()).id] })
  const next = await aDriver(t, d, { name: 'Ngozi' })
  expect(await d.done(change({ version, driverId: next.id, reason: 'Musa is ill' }))).toMatchObject({
    driver: { name: 'Ngozi' },
  })
  const changed = (await d.events(order)).findLast(({ kind }) => kind === 'changed')
  expect(changed?.detail).toMatchObject({
    driverBefore: d.driver.name,
    driverAfter: 'Ngozi',
    devicesAfter: 2,
    reason: 'Musa is ill',
  })
  expect((await d.act(busy, 'start')).body.code).toBe('VEHICLE_BUSY')
  const { recordId } = (await d.read(order)) as { recordId: string }
  await d.done(change({ version: version + 1, devices: [{ id: String(box.id) }] }))
  const record = (await d.ask('GET', `/enterprise/record/${recordId}`)).body.payload
  expect(record.devices.map(({ id }: { id: string }) => Number(id)).sort()).toEqual(
    [box.id, secret.id, other.id].sort(),
  )
})

test('what an order may get is told with who has it, private devices to Admins only', async () => {
  const d = await dispatchOf(t)
  const [box, van] = [await d.device({ name: 'Box' }), await d.device({ name: 'Van tracker' })]
  await d.device({ name: 'Secret', visibility: 'private' })
  const running = await d.order({ deviceIds: [box.id] })
  await t.change(
    d.companyId,
    'insert into order_devices (company_id, order_id, device_id, role) values ($1, $2, $3, $4)',
    [...[d.companyId, running.id, van.id, 'vehicle']],
  )
  await d.done(d.act(running, 'start'))
  const idle = await aDriver(t, d, { name: 'Idle', status: 'inactive' })
  const broken = await aVehicle(t, d, { out_of_service_at: t.clock.now() })
  const other = await d.order({ driverId: null, vehicleId: null })
  const manager = await dispatchUser(d)
  type Choices = { id: string; name: string; taken: Record<string, unknown> | null }[]
  const ask = async (kind: string, search = '', token = d.admin.token) =>
    (await d.done(
      d.ask('GET', d.path(other, `/crew-choices?kind=${kind}&search=${search}`), undefined, token),
    )) as Choices
  const code = showTrackingCode(running.tracking_code)
  expect(await ask('driver')).toMatchObject([
    { id: idle.id, taken: { why: 'inactive', trackingCode: null } },
    {
      name: d.driver.name,
      taken: { why: 'vehicle', name: d.vehicle.name, trackingCode: code, freeWith: d.vehicle.id },
    },
  ])
  const fleet = await ask('vehicle')
  expect(fleet.find(({ id }) => id === broken.id)?.taken).toMatchObject({ why: 'outOfService' })
  expect(fleet.find(({ id }) => id === d.vehicle.id)?.taken).toEqual({
    ...{ why: 'driver', name: d.driver.name, trackingCode: code, freeWith: d.driver.id },
  })
  const grouped = d.vehicle.plate.toLowerCase().replaceAll(' ', '-')
  expect((await ask('vehicle', grouped)).map(({ id }) => id)).toEqual([d.vehicle.id])
  expect(await ask('device')).toMatchObject([
    { name: 'Secret', taken: null },
    { name: 'Box', taken: { why: 'order', trackingCode: code, freeWith: null } },
    { name: 'Van tracker', taken: { why: 'order', trackingCode: code, freeWith: d.vehicle.id } },
  ])
  expect((await ask('device', '', manager.token)).map(({ name }) => name)).toEqual(['Box', 'Van tracker'])
  expect((await ask('device', 'van')).map(({ name }) => name)).toEqual(['Van tracker'])
  // Seen from the order itself nothing of it is taken.
  const own = await d.done(d.ask('GET', d.path(running, '/crew-choices?kind=device&search=box')))
  expect(own).toMatchObject([{ name: 'Box', taken: null }])
})
