import { expect, test } from 'vitest'
import { describeApp, describePipeline } from '../../../test/describe-app.ts'
import { aDevice } from '../../../test/device-factory.ts'
import { aPartner } from '../../../test/dispatch-factory.ts'
import { buildUser, password } from '../../../test/factories.ts'
import { aShipmentPlace, capeTown, rotterdam } from '../../../test/shipment-factory.ts'
import { trailOf } from '../../../test/trail.ts'
import { startFlights } from '../device-life/jobs.ts'
import { sweepLateShipmentFences, sweepShipmentFences } from './sweep-fences.ts'

const t = describeApp()
const pipeline = describePipeline(t)
const hour = 3_600_000
const day = 24 * hour
const at = (ms: number) => new Date(t.clock.now().getTime() + ms)

async function scene() {
  const admin = await buildUser(t)
  const { companyId } = admin
  const origin = await aShipmentPlace(t, admin)
  const destination = await aShipmentPlace(t, admin, { kind: 'destination' })
  const ask = async (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object, token = admin.token) => {
    const answer = await t.call(method, `/export${path}`, { token, ...(body && { body }) })
    return { ...answer, payload: answer.body.payload }
  }
  const leg = { mode: 'sea', fromName: 'Cape Town', toName: 'Rotterdam', etd: at(day).toISOString() }
  const body = (more: object = {}) => ({
    ...{ logistics: 'external', product: 'Oranges', originId: origin.id, destinationId: destination.id },
    legs: [{ ...leg, eta: at(18 * day).toISOString() }],
    ...more,
  })
  const made = async (more: object = {}) => {
    const answer = await ask('POST', '/shipments', body(more))
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    return answer.payload
  }
  const milestone = (id: string, kind: string, ms: number, more: object = {}) =>
    ask('POST', `/shipments/${id}/milestones`, { kind, at: at(ms).toISOString(), ...more })
  return { admin, companyId, origin, destination, ask, body, made, milestone, leg }
}

test('numbers have no gaps: one that is refused takes none, nor do 20 at once', async () => {
  const s = await scene()
  expect((await s.made({ reference: 'PO 1' })).number).toBe('S-000001')
  const refused = await s.ask('POST', '/shipments', s.body({ reference: 'po 1' }))
  expect([refused.status, Object.keys(refused.body.fields)]).toEqual([422, ['reference']])
  const all = await Promise.all(Array.from({ length: 20 }, () => s.made()))
  expect(all.map(({ number }) => number).sort()).toEqual(
    Array.from({ length: 20 }, (_, n) => `S-${String(n + 2).padStart(6, '0')}`),
  )
})

test('every fault is said at its field, and a wrong check digit stands where somebody insists', async () => {
  const s = await scene()
  const wrong = await s.ask(
    'POST',
    '/shipments',
    s.body({
      ...{ hsCode: '77', minC: 5, maxC: 1, originId: s.destination.id, partnerId: '7' },
      legs: [
        { ...s.leg, containerNo: 'CSQU3054384', imo: '9074728', awb: '020-12345675', eta: at(0).toISOString() },
        { mode: 'air', flightNumber: 'ETHIOPIAN', awb: '125-10000002' },
      ],
      devices: [{ id: '1', place: 'air' }],
    }),
  )
  expect(wrong.status).toBe(422)
  expect(Object.keys(wrong.body.fields).sort()).toEqual([
    ...['devices.0.id', 'hsCode', 'legs.0.awb', 'legs.0.containerNo', 'legs.0.eta', 'legs.0.imo', 'legs.1.awb'],
    ...['legs.1.flightNumber', 'maxC', 'originId', 'partnerId'],
  ])
  expect(wrong.body.fields['legs.1.awb'][0]).toContain('12510000001')
  const ports = { ...s.leg, fromPort: 'JPY0K', toPort: 'XXX0X' }
  const { fields } = (await s.ask('POST', '/shipments', s.body({ legs: [ports] }))).body
  expect([fields['legs.0.fromPort'], fields['legs.0.toPort']]).toEqual([
    ['No port has this code. Did you mean JPYOK?'],
    ['No port has this code.'],
  ])
  const meant = await s.ask('POST', '/shipments', s.body({ legs: [{ ...s.leg, containerNo: 'CSQU305438E' }] }))
  expect(meant.status).toBe(422)
  const kept = await s.made({ legs: [{ ...s.leg, containerNo: 'csqu 305438-4', containerUnchecked: true }] })
  expect(kept.legs[0]).toMatchObject({ containerNo: 'CSQU3054384', containerUnchecked: true })
  const good = await s.made({ legs: [{ ...s.leg, containerNo: 'CSQU3054383', containerUnchecked: true }] })
  expect(good.legs[0]).toMatchObject({ containerNo: 'CSQU3054383', containerUnchecked: false })
})

test('numbers of GS1 and IMO are optional and checked, with what was meant; who insists is recorded', async () => {
  const s = await scene()
  const tracker = await aDevice(t, s.admin)
  const pallet = (sscc: string, more: object = {}) => [{ id: String(tracker.id), place: 'pallet', sscc, ...more }]
  const wrong = {
    ...{ gtin: '(01) 6001234500019', devices: pallet('160012345000000016') },
    legs: [{ ...s.leg, imo: 'IMO 9074728' }],
  }
  const { status, body } = await s.ask('POST', '/shipments', s.body(wrong))
  expect([status, Object.keys(body.fields).sort()]).toEqual([422, ['devices.0.sscc', 'gtin', 'legs.0.imo']])
  expect(body.fields.gtin).toEqual(['This GTIN is not right. Did you mean 6001234500018?'])
  expect(body.fields['devices.0.sscc'][0]).toContain('160012345000000015')
  const noNumber = await s.ask('POST', '/shipments', s.body({ gtin: '12345', gtinUnchecked: true }))
  expect(noNumber.body.fields.gtin).toEqual([expect.stringContaining('8, 12, 13 or 14 digits')])
  const kept = await s.made({
    ...{ gtin: wrong.gtin, gtinUnchecked: true, devices: pallet('160012345000000016', { ssccUnchecked: true }) },
    legs: [{ ...s.leg, imo: 'IMO 9074728', imoUnchecked: true }],
  })
  expect(kept).toMatchObject({
    ...{ gtin: '06001234500019', gtinUnchecked: true, legs: [{ imo: '9074728', imoUnchecked: true }] },
    devices: [{ sscc: '160012345000000016', ssccUnchecked: true }],
  })
  const added = (await trailOf(t, s.companyId)).find(({ action }) => action === 'shipments.added')
  expect(added?.after).toMatchObject({ gtin: '06001234500019', unchecked: ['06001234500019', '9074728'] })
  const found = await s.ask('GET', '/shipments?search=6001234500019')
  expect(found.payload.data.map(({ number }: { number: string }) => number)).toEqual([kept.number])
  const change = (version: number, body: object) => s.ask('PATCH', `/shipments/${kept.id}`, { version, ...body })
  const right = await change(kept.version, { gtin: '6001234500018', gtinUnchecked: true })
  expect(right.payload).toMatchObject({ gtin: '06001234500018', gtinUnchecked: false })
  const none = await change(right.payload.version, { gtin: null })
  expect(none.payload).toMatchObject({ gtin: null, gtinUnchecked: false, devices: [{ ssccUnchecked: true }] })
})

test('a waybill that somebody insists on is stored without the letters before it', async () => {
  const s = await scene()
  const made = await s.made({ legs: [{ mode: 'air', awb: 'AWB 125-10000002', awbUnchecked: true }] })
  expect(made.legs[0]).toMatchObject({ awb: '12510000002', awbUnchecked: true })
})

test('the first departure starts it with its record, arrival and delivery end it; a milestone is corrected, not repeated', async () => {
  const s = await scene()
  const probe = await aDevice(t, s.admin)
  const made = await s.made({ devices: [{ id: String(probe.id), place: 'pulp1' }] })
  const [leg] = made.legs
  t.clock.advance(30 * day)
  expect((await s.milestone(made.id, 'arrived', -hour)).body.code).toBe('SHIPMENT_NOT_STARTED')
  expect((await s.milestone(made.id, 'gateIn', -29 * day)).payload.state).toBe('pending')
  const departed = await s.milestone(made.id, 'departed', -28 * day, { legId: leg.id })
  const left = at(-28 * day).toISOString()
  expect(departed.payload).toMatchObject({ state: 'ongoing', startedAt: left, legs: [{ atd: left }] })
  expect((await s.milestone(made.id, 'departed', -27 * day, { legId: leg.id })).body.code).toBe('MILESTONE_KNOWN')
  const event = departed.payload.events.find(({ kind }: { kind: string }) => kind === 'departed')
  const corrected = await s.milestone(made.id, 'departed', -27 * day, { legId: leg.id, corrects: event.id })
  expect(corrected.payload.legs[0].atd).toBe(at(-27 * day).toISOString())
  expect(corrected.payload.events.filter(({ isCorrected }: { isCorrected: boolean }) => isCorrected)).toHaveLength(1)
  expect((await s.milestone(made.id, 'arrived', -28 * day, { legId: leg.id })).status).toBe(422)
  await s.milestone(made.id, 'arrived', -2 * day, { legId: leg.id })
  const delivered = await s.milestone(made.id, 'delivered', -day)
  expect(delivered.payload).toMatchObject({ state: 'completed', endedAt: at(-day).toISOString() })
  expect(await t.rows(`select state, start_at, end_at from records where id = ${delivered.payload.recordId}`)).toEqual([
    { state: 'ended', start_at: at(-27 * day), end_at: at(-day) },
  ])
  expect(delivered.payload.startedAt).toBe(at(-27 * day).toISOString())
  const told = delivered.payload.events.find(({ kind }: { kind: string }) => kind === 'delivered')
  // It is completed where it was delivered, by the clock of that place.
  const completed = delivered.payload.events.find(({ kind }: { kind: string }) => kind === 'completed')
  expect([completed.timezone, completed.occurredAt]).toEqual([made.destination.timezone, told.occurredAt])
  expect(made.destination.timezone).not.toBe(made.origin.timezone)
  expect((await s.milestone(made.id, 'delivered', -28 * day, { corrects: told.id })).status).toBe(422)
  const later = await s.milestone(made.id, 'delivered', -day / 2, { corrects: told.id })
  expect(later.payload).toMatchObject({ state: 'completed', endedAt: at(-day / 2).toISOString() })
  const record = later.payload.recordId
  const recordNow = () => t.rows(`select start_at, end_at from records where id = ${record}`)
  expect(await recordNow()).toEqual([{ start_at: at(-27 * day), end_at: at(-day / 2) }])
  const signed = await t.call('POST', `/enterprise/record/${record}/signatures`, {
    token: s.admin.token,
    body: { meaning: 'approved', reason: 'All in range', password },
  })
  expect(signed.status).toBe(200)
  const again = later.payload.events.findLast(({ kind }: { kind: string }) => kind === 'delivered')
  const refused = await s.milestone(made.id, 'delivered', -day, { corrects: again.id })
  expect([refused.status, Object.keys(refused.body.fields)]).toEqual([422, ['at']])
  expect(await recordNow()).toEqual([{ start_at: at(-27 * day), end_at: at(-day / 2) }])
  // Another place with the same instant moves nothing that was signed.
  const placed = await s.milestone(made.id, 'delivered', -day / 2, { corrects: again.id, placeName: 'Gate 5' })
  expect([placed.status, await recordNow()]).toEqual([200, [{ start_at: at(-27 * day), end_at: at(-day / 2) }]])
  expect((await s.milestone(made.id, 'emptyReturned', -hour)).payload.state).toBe('completed')
  const removal = await t.call('DELETE', `/enterprise/record/${delivered.payload.recordId}`, { token: s.admin.token })
  expect(removal.body.code).toBe('RECORD_OF_SHIPMENT')
  expect((await s.ask('PATCH', `/shipments/${made.id}`, { state: 'cancelled' })).body.code).toBe('SHIPMENT_OVER')
})

test('goods are transshipped where the leg that brought them ends, told of it or of the one that goes on', async () => {
  const s = await scene()
  const legs = [
    { mode: 'sea', fromPort: 'ZACPT', toPort: 'ESVLC' },
    { mode: 'sea', fromPort: 'ESVLC', toPort: 'NLRTM' },
  ]
  const made = await s.made({ legs })
  const [first, second] = made.legs
  await s.milestone(made.id, 'departed', -9 * day, { legId: first.id })
  for (const { id } of [first, second]) {
    const { payload } = await s.milestone(made.id, 'transshipped', -2 * day, { legId: id })
    const [event] = payload.events.filter(({ kind }: { kind: string }) => kind === 'transshipped')
    expect(event).toMatchObject({ portCode: 'ESVLC', timezone: 'Europe/Madrid' })
  }
})

test('goods are inspected where the leg begins, and once it has departed where it ends', async () => {
  const s = await scene()
  const made = await s.made({ legs: [{ mode: 'sea', fromPort: 'ZACPT', toPort: 'NLRTM' }] })
  const legId = made.legs[0].id
  await s.milestone(made.id, 'inspected', -10 * day, { legId })
  await s.milestone(made.id, 'departed', -9 * day, { legId })
  const { payload } = await s.milestone(made.id, 'inspected', -day, { legId })
  const told = payload.events.filter(({ kind }: { kind: string }) => kind === 'inspected')
  expect(told.map(({ portCode }: { portCode: string }) => portCode)).toEqual(['ZACPT', 'NLRTM'])
})

test('a device and a container are on one shipment under way; of 10 that start at once one does', async () => {
  const s = await scene()
  const tracker = await aDevice(t, { companyId: s.companyId, name: 'Tracker' })
  const devices = [{ id: String(tracker.id), place: 'air' }]
  const all = []
  for (let n = 0; n < 10; n++) all.push(await s.made({ devices }))
  const start = (id: string) => s.ask('PATCH', `/shipments/${id}`, { state: 'ongoing' })
  const answers = await Promise.all(all.map(({ id }) => start(id)))
  const codes = answers.map(({ status, body }) => (status === 200 ? 'done' : body.code)).sort()
  expect(codes).toEqual([...Array(9).fill('DEVICE_ON_SHIPMENT'), 'done'])
  const winner = answers.find(({ status }) => status === 200)?.payload
  expect((await s.ask('PATCH', `/shipments/${winner.id}`, { state: 'cancelled' })).status).toBe(422)
  const cancelled = await s.ask('PATCH', `/shipments/${winner.id}`, { state: 'cancelled', reason: 'Recalled' })
  expect(cancelled.payload).toMatchObject({ state: 'cancelled', cancelReason: 'Recalled' })
  const boxes = { legs: [{ ...s.leg, containerNo: 'CSQU3054383' }] }
  const [first, second] = [await s.made(boxes), await s.made(boxes)]
  expect((await start(first.id)).status).toBe(200)
  expect((await start(second.id)).body).toMatchObject({
    ...{ code: 'CONTAINER_BUSY', message: `Container CSQU3054383 is under way with shipment ${first.number}.` },
  })
  await s.milestone(first.id, 'departed', 0, { legId: first.legs[0].id })
  await s.milestone(first.id, 'arrived', 0, { legId: first.legs[0].id })
  expect((await start(second.id)).status).toBe(200)
})

test('a device is offered unless it is on a shipment under way, to those who may see it', async () => {
  const s = await scene()
  const [busy, free] = [
    await aDevice(t, { ...s.admin, name: 'Probe 1' }),
    await aDevice(t, { ...s.admin, name: 'Probe 2' }),
  ]
  await aDevice(t, { companyId: s.companyId, name: 'Probe 3', visibility: 'private' })
  const namesOf = async (query = '', token = s.admin.token) =>
    (await s.ask('GET', `/free-devices${query}`, undefined, token)).payload.map(({ name }: { name: string }) => name)
  const made = await s.made({ devices: [{ id: String(busy.id), place: 'air' }] })
  await s.made({ devices: [{ id: String(free.id), place: 'air' }] })
  expect(await namesOf()).toEqual(['Probe 1', 'Probe 2', 'Probe 3'])
  await s.ask('PATCH', `/shipments/${made.id}`, { state: 'ongoing' })
  expect([await namesOf(), await namesOf('?search=probe%202')]).toEqual([['Probe 2', 'Probe 3'], ['Probe 2']])
  const manager = await buildUser(t, { company: s.admin, role: 'manager' })
  expect(await namesOf('', manager.token)).toEqual(['Probe 2'])
  await s.ask('PATCH', `/shipments/${made.id}`, { state: 'completed' })
  expect(await namesOf()).toEqual(['Probe 1', 'Probe 2', 'Probe 3'])
  // Until it goes on another shipment, it may still be in the container.
  const isLeft = async () => (await s.ask('GET', `/shipments/${made.id}`)).payload.devices[0].isLeftBehind
  expect([made.devices[0].isLeftBehind, await isLeft()]).toEqual([false, true])
  t.clock.advance(hour)
  const next = await s.made({ devices: [{ id: String(busy.id), place: 'air' }] })
  expect(await isLeft()).toBe(true)
  await s.ask('PATCH', `/shipments/${next.id}`, { state: 'ongoing' })
  expect(await isLeft()).toBe(false)
})

test('edits are of the version that was read; under way devices are only added, and a leg that departed stays', async () => {
  const s = await scene()
  const [one, two] = [await aDevice(t, s.admin), await aDevice(t, s.admin)]
  const placed = (...ids: number[]) => ids.map((id, n) => ({ id: String(id), place: `pulp${n + 1}` }))
  const made = await s.made({ devices: placed(one.id) })
  const change = (version: number, more: object) => s.ask('PATCH', `/shipments/${made.id}`, { version, ...more })
  const edited = await change(made.version, { product: 'Lemons', pallets: 20, devices: placed(two.id, one.id) })
  expect(edited.payload).toMatchObject({ product: 'Lemons', pallets: 20, deviceCount: 2 })
  expect((await change(made.version, { product: 'Limes' })).body.code).toBe('CHANGED_MEANWHILE')
  expect((await change(edited.payload.version, { state: 'ongoing', product: 'Limes' })).status).toBe(422)
  const [leg] = edited.payload.legs
  const started = (await s.milestone(made.id, 'departed', 0, { legId: leg.id })).payload
  const fewer = await change(started.version, { devices: placed(two.id), originId: '7', legs: [{ mode: 'rail' }] })
  expect(Object.keys(fewer.body.fields).sort()).toEqual(['devices', 'legs', 'originId'])
  const moved = (place: string) =>
    change(started.version, { devices: [placed(two.id)[0], { id: String(one.id), place }] })
  for (const place of ['air', 'pulp3'])
    expect(Object.keys((await moved(place)).body.fields)).toEqual(['devices.1.place'])
  const longer = await change(started.version, {
    legs: [
      { ...s.leg, id: leg.id },
      { mode: 'rail', toName: 'Venlo' },
    ],
  })
  expect(longer.payload.legs).toMatchObject([
    { id: leg.id, atd: started.startedAt },
    { sequence: 2, mode: 'rail' },
  ])
  expect((await s.ask('POST', `/shipments/${made.id}/roll-over`, { legId: leg.id, leg: { mode: 'sea' } })).status).toBe(
    422,
  )
})

test('a container that missed its vessel goes on a new leg, and the old one stays as rolled over', async () => {
  const s = await scene()
  const made = await s.made({
    legs: [
      { ...s.leg, vesselName: 'MSC Orion', containerNo: 'CSQU3054383', sealNo: 'SL 7' },
      { mode: 'rail', toName: 'Venlo' },
    ],
  })
  const rolled = await s.ask('POST', `/shipments/${made.id}/roll-over`, {
    ...{ legId: made.legs[0].id, leg: { mode: 'sea', vesselName: 'Maersk Lima', etd: at(8 * day).toISOString() } },
  })
  expect(rolled.payload.legs).toMatchObject([
    { vesselName: 'MSC Orion', rolledAt: t.clock.now().toISOString() },
    {
      vesselName: 'Maersk Lima',
      containerNo: 'CSQU3054383',
      fromName: 'Cape Town',
      toName: 'Rotterdam',
      rolledAt: null,
    },
    { mode: 'rail', sequence: 3 },
  ])
  expect(rolled.payload).toMatchObject({ vesselName: 'Maersk Lima' })
  expect(rolled.payload.legs[1]).toMatchObject({ sealNo: 'SL 7' })
  // A form that was opened before the roll-over does not know the new leg.
  const unaware = await s.ask('PATCH', `/shipments/${made.id}`, {
    version: made.version,
    legs: made.legs.map(({ id, mode }: { id: string; mode: string }) => ({ id, mode })),
  })
  expect([unaware.status, unaware.body.code]).toEqual([400, 'CHANGED_MEANWHILE'])
  const wrong = { mode: 'sea', flightNumber: 'ET 904', etd: at(9 * day).toISOString(), eta: at(8 * day).toISOString() }
  const refused = await s.ask('POST', `/shipments/${made.id}/roll-over`, {
    ...{ legId: rolled.payload.legs[1].id, leg: wrong },
  })
  expect([refused.status, Object.keys(refused.body.fields).sort()]).toEqual([422, ['leg.eta', 'leg.flightNumber']])
})

test('a flight puts its devices into flight mode from its departure on, unless the company does not want it', async () => {
  const s = await scene()
  const tracker = await aDevice(t, s.admin)
  const flight = { mode: 'air', flightNumber: 'ET 904', awb: '071-00000000', etd: at(day).toISOString() }
  const made = await s.made({ legs: [flight], devices: [{ id: String(tracker.id), place: 'air' }] })
  const flights = () =>
    t.rows(`select state, carrier_code, flight_number, departs_at from flight_modes where device_id = ${tracker.id}
      and state <> 'off'`)
  expect(await flights()).toEqual([])
  await s.ask('PATCH', `/shipments/${made.id}`, { state: 'ongoing' })
  const planned = { state: 'awaiting', carrier_code: 'ET', flight_number: '904', departs_at: at(day) }
  expect(await flights()).toEqual([planned])
  await s.milestone(made.id, 'departed', 0, { legId: made.legs[0].id })
  expect(await flights()).toEqual([{ ...planned, departs_at: t.clock.now() }])
  await s.milestone(made.id, 'arrived', 0, { legId: made.legs[0].id })
  expect(await flights()).toEqual([])
})

test('a leg that was rolled over keeps its carrier and papers, unless another airline flies', async () => {
  const s = await scene()
  const papers = { bookingNumber: 'BK 1', carrierName: 'Maersk', carrierCode: 'MAEU' }
  const flown = { mode: 'air', flightNumber: 'ET 904', awb: '071-00000000', houseAwb: 'H 1' }
  const made = await s.made({ legs: [{ ...s.leg, vesselName: 'Maersk Luz', ...papers }, flown] })
  const rollOver = async (legId: string, leg: object) =>
    (await s.ask('POST', `/shipments/${made.id}/roll-over`, { legId, leg })).payload.legs
  const [, next, flight] = await rollOver(made.legs[0].id, { mode: 'sea', vesselName: 'Maersk Lima' })
  expect(next).toMatchObject(papers)
  const legs = await rollOver(flight.id, { mode: 'air', flightNumber: 'ET906' })
  const { awb, houseAwb } = made.legs[1]
  expect(legs[3]).toMatchObject({ awb, houseAwb, carrierCode: 'ET' })
  const [last] = (await rollOver(legs[3].id, { mode: 'air', flightNumber: 'KL 590' })).slice(-1)
  expect(last).toMatchObject({ awb: null, houseAwb: null, carrierCode: 'KL' })
})

test('a device that is taken off before a flight does not fly', async () => {
  const s = await scene()
  const tracker = await aDevice(t, s.admin)
  const flight = { mode: 'air', flightNumber: 'ET 904', etd: at(day).toISOString() }
  const made = await s.made({ legs: [flight], devices: [{ id: String(tracker.id), place: 'air' }] })
  const { payload } = await s.ask('PATCH', `/shipments/${made.id}`, { state: 'ongoing' })
  const taken = await s.ask('PATCH', `/shipments/${made.id}`, { version: payload.version, devices: [] })
  expect(taken.status, JSON.stringify(taken.body)).toBe(200)
  await s.milestone(made.id, 'departed', 0, { legId: made.legs[0].id })
  expect(await t.rows(`select from flight_modes where device_id = ${tracker.id} and state <> 'off'`)).toEqual([])
})

test('a flight that the goods missed silences no device, and one that arrived late ends no other', async () => {
  const s = await scene()
  const tracker = await aDevice(t, s.admin)
  const flight = (etd: Date | null, flightNumber: string) => ({
    mode: 'air',
    flightNumber,
    etd: etd?.toISOString() ?? null,
  })
  const devices = [{ id: String(tracker.id), place: 'air' }]
  const made = await s.made({ legs: [flight(at(hour), 'ET 904'), flight(at(2 * day), 'KL 590')], devices })
  const flights = () =>
    t.rows(`select state, flight_number as no from flight_modes where device_id = ${tracker.id} and state <> 'off'`)
  const asked = async () => {
    const [command] = await t.rows<{ state: string }>(
      `select value ->> 'state' as state from device_commands where device_id = ${tracker.id} and kind = 'flight_mode' order by id desc limit 1`,
    )
    return command?.state
  }
  const rollOver = async (legId: string, leg: object) =>
    (await s.ask('POST', `/shipments/${made.id}/roll-over`, { legId, leg })).payload.legs
  await s.ask('PATCH', `/shipments/${made.id}`, { state: 'ongoing' })
  expect(await flights()).toEqual([{ state: 'awaiting', no: '904' }])
  const [, second] = await rollOver(made.legs[0].id, flight(null, 'ET 906'))
  expect(await flights()).toEqual([])
  const [, , third] = await rollOver(second.id, flight(at(hour), 'ET 908'))
  t.clock.advance(2 * hour)
  await startFlights.run(t.services, {})
  expect([await flights(), await asked()]).toEqual([[{ state: 'on', no: '908' }], 'on'])
  const legs = await rollOver(third.id, flight(at(hour), 'ET 910'))
  expect([await flights(), await asked()]).toEqual([[{ state: 'awaiting', no: '910' }], 'off'])
  const [first, next] = legs.slice(3)
  await s.milestone(made.id, 'departed', 0, { legId: first.id })
  await s.milestone(made.id, 'departed', 0, { legId: next.id })
  await startFlights.run(t.services, {})
  await s.milestone(made.id, 'arrived', 0, { legId: first.id })
  expect(await flights()).toHaveLength(1)
  await s.milestone(made.id, 'arrived', 0, { legId: next.id })
  expect(await flights()).toEqual([])
})

test.each(['planned', 'switched'] as const)(
  'a flight mode that a person %s by hand outlives what the shipment does',
  async (how) => {
    const s = await scene()
    const [own, byHand] = [await aDevice(t, s.admin), await aDevice(t, s.admin)]
    const devices = [own, byHand].map(({ id }, n) => ({ id: String(id), place: `pulp${n + 1}` }))
    const legs = [
      { mode: 'air', flightNumber: 'ET 904', etd: at(hour).toISOString() },
      { mode: 'air', flightNumber: 'KL 590', etd: at(3 * day).toISOString() },
    ]
    const made = await s.made({ legs, devices })
    const later = at(9 * day).toISOString()
    const plan = { scheduledDepartureDate: later, carrierCode: 'LH', flightNumber: '573' }
    const path = how === 'planned' ? 'flight-mode' : 'flight-mode-direct'
    const command = how === 'planned' ? plan : { state: 'on' }
    const { token } = s.admin
    const answer = await t.call('PATCH', `/devices/${byHand.id}/${path}`, { token, body: command })
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    const flights = (id: number) =>
      t.rows(
        `select state, flight_number as no, departs_at from flight_modes where device_id = ${id} and state <> 'off'`,
      )
    const commands = () =>
      t.rows(`select id from device_commands where device_id = ${byHand.id} and value ->> 'state' = 'off'`)
    const before = await flights(byHand.id)
    expect(before).toMatchObject([how === 'planned' ? { state: 'awaiting', no: '573' } : { state: 'on' }])
    const isKept = async (what: string) => {
      expect([await flights(byHand.id), await commands()], what).toEqual([before, []])
    }
    await s.ask('PATCH', `/shipments/${made.id}`, { state: 'ongoing' })
    await isKept('planned for the leg')
    expect(await flights(own.id)).toMatchObject([{ no: '904' }])
    await s.milestone(made.id, 'departed', 0, { legId: made.legs[0].id })
    await isKept('departed')
    await s.milestone(made.id, 'arrived', 0, { legId: made.legs[0].id })
    await isKept('arrived')
    expect(await flights(own.id)).toMatchObject([{ no: '590' }])
    await s.ask('PATCH', `/shipments/${made.id}`, { state: 'completed' })
    await isKept('completed')
    expect(await flights(own.id)).toEqual([])
  },
)

test.each<[string, object, object]>([
  ['a waybill alone', { awb: '071-00000000' }, { carrier_code: null, flight_number: null }],
  ['an airline with a digit first', { flightNumber: '5X 0012' }, { carrier_code: '5X', flight_number: '0012' }],
  ['an airline with a digit behind', { flightNumber: 'P4 7121' }, { carrier_code: 'P4', flight_number: '7121' }],
  ['an airline of three letters', { flightNumber: 'ETH904D' }, { carrier_code: 'ETH', flight_number: '904D' }],
])('a flight of which is known: %s', async (_, known, told) => {
  const s = await scene()
  const tracker = await aDevice(t, s.admin)
  const made = await s.made({
    legs: [{ mode: 'air', etd: at(hour).toISOString(), ...known }],
    devices: [{ id: String(tracker.id), place: 'air' }],
  })
  const flights = () =>
    t.rows(`select state, carrier_code, flight_number from flight_modes where device_id = ${tracker.id}`)
  expect((await s.ask('PATCH', `/shipments/${made.id}`, { state: 'ongoing' })).status).toBe(200)
  expect(await flights()).toEqual([{ state: 'awaiting', ...told }])
  t.clock.advance(2 * hour)
  await startFlights.run(t.services, {})
  expect(await flights()).toEqual([{ state: 'on', ...told }])
  const life = await t.call('GET', `/devices/${tracker.id}/flight-schedule`, { token: s.admin.token })
  expect(life.body.payload).toMatchObject({ state: 'on', kind: 'flight' })
})

test('the local time of a milestone is that of the end of the leg at which it happens', async () => {
  const s = await scene()
  const made = await s.made()
  const [{ id: legId }] = made.legs
  t.clock.advance(20 * day)
  const note = async (kind: string, local: string) => {
    const answer = await s.ask('POST', `/shipments/${made.id}/milestones`, { kind, legId, at: local })
    return answer.payload.events.find((event: { kind: string }) => event.kind === kind)
  }
  const local = (ms: number, timeZone: string) =>
    new Date(at(ms)).toLocaleString('sv', { timeZone, dateStyle: 'short', timeStyle: 'short' }).replace(' ', 'T')
  const minute = (ms: number) => `${at(ms).toISOString().slice(0, 16)}:00.000Z`
  expect(await note('departed', local(-9 * day, 'Africa/Johannesburg'))).toMatchObject({
    ...{ occurredAt: minute(-9 * day), timezone: 'Africa/Johannesburg' },
  })
  expect(await note('arrived', local(-day, 'Europe/Amsterdam'))).toMatchObject({
    ...{ occurredAt: minute(-day), timezone: 'Europe/Amsterdam' },
  })
})

test('a shipment can be changed though its partner is deleted and a device of it is decommissioned', async () => {
  const s = await scene()
  const partner = await aPartner(t, s.admin)
  const [tracker, other] = [await aDevice(t, s.admin), await aDevice(t, s.admin)]
  const devices = [{ id: String(tracker.id), place: 'air' }]
  const made = await s.made({ partnerId: String(partner.id), devices })
  await s.ask('PATCH', `/shipments/${made.id}`, { state: 'ongoing' })
  const { token } = s.admin
  expect((await t.call('DELETE', `/dispatch/partners/${partner.id}`, { token })).status).toBe(200)
  for (const { id } of [tracker, other])
    expect((await t.call('PUT', `/devices/${id}/decommission`, { token, body: {} })).status).toBe(200)
  const { version } = (await s.ask('GET', `/shipments/${made.id}`)).payload
  const edit = { version, partnerId: String(partner.id), devices, note: 'Late' }
  const refused = await s.ask('PATCH', `/shipments/${made.id}`, {
    ...{ ...edit, devices: [...devices, { id: String(other.id), place: 'air' }] },
  })
  expect(Object.keys(refused.body.fields)).toEqual(['devices.1.id'])
  const changed = await s.ask('PATCH', `/shipments/${made.id}`, edit)
  expect(changed.payload).toMatchObject({ note: 'Late', partner: { companyName: made.partner.companyName } })
})

test('loading data is checked at each of its fields', async () => {
  const s = await scene()
  const made = await s.made()
  const good = {
    ...{ exporterUcn: 'E 1', puc: null, phc: null, class: null, packaging: null, storageRegime: null },
    ...{ ventilation: null, exporterBooking: null, lineReference: null, dischargePorts: null },
    ...{ previousRejections: null, reinspection: null, netWeightKg: 23_500, cartons: 1_600, setPointC: -0.6 },
    ...{ loadingTemperatureC: 4, loadedAt: at(0).toISOString(), isUncooled: true },
    probeReadings: [{ place: 'pulp1', celsius: 25.5 }],
  }
  const send = (ppecb: object) => s.ask('PATCH', `/shipments/${made.id}`, { version: made.version, ppecb })
  const wrong = {
    ...good,
    exporterUcn: 'a\u0000b',
    cartons: -1,
    netWeightKg: 1e9,
    puc: 'x'.repeat(201),
    setPointC: 1e3,
  }
  const { status, body } = await send({ ...wrong, probeReadings: [{ place: 'pulp1', celsius: 900 }], colour: 'red' })
  expect([status, Object.keys(body.fields).sort()]).toEqual([
    422,
    ['cartons', 'colour', 'exporterUcn', 'netWeightKg', 'probeReadings.0.celsius', 'puc', 'setPointC'].map(
      (name) => `ppecb.${name}`,
    ),
  ])
  expect((await send(good)).payload.ppecb).toEqual(good)
})

test('a named place has a term, said with it or before', async () => {
  const s = await scene()
  const place = { incotermPlace: 'Cape Town' }
  const refused = await s.ask('POST', '/shipments', s.body(place))
  expect([refused.status, Object.keys(refused.body.fields)]).toEqual([422, ['incotermPlace']])
  const made = await s.made({ incoterm: 'FCA' })
  const change = (body: object) => s.ask('PATCH', `/shipments/${made.id}`, { version: made.version, ...body })
  const changed = await change(place)
  expect(changed.payload).toMatchObject({ incoterm: 'FCA', ...place })
  const cleared = await s.ask('PATCH', `/shipments/${made.id}`, { version: changed.payload.version, incoterm: null })
  expect([cleared.status, Object.keys(cleared.body.fields)]).toEqual([422, ['incotermPlace']])
})

test('its fields are stored and told, and its tracking number finds it', async () => {
  const s = await scene()
  const goods = {
    ...{ reference: 'PO 9', trackingNumber: 'TRK-90417', variety: 'Valencia', hsCode: '080510', pallets: 20 },
    ...{
      incoterm: 'FCA',
      incotermPlace: 'Cape Town',
      grossWeightG: 23_800_000,
      region: 'South Holland',
      country: 'NL',
    },
    ...{ personOfContact: 'Joris de Vries', setPointC: -0.5, minC: -1, maxC: 1, regimeCode: 'CT02', lot: 'L 1' },
    ...{ loadingOn: '2026-11-18', departureOn: '2026-11-20', note: 'Papers follow' },
  }
  const sea = { carrierName: 'Maersk', vesselName: 'Cape Breeze', imo: '9074729', voyage: '208N', bookingNumber: 'B 1' }
  const made = await s.made({ ...goods, legs: [{ ...s.leg, ...sea, containerNo: 'CSQU3054383', sealNo: 'SL 1' }] })
  expect(made).toMatchObject({ ...goods, legs: [{ ...sea, containerNo: 'CSQU3054383', sealNo: 'SL 1' }] })
  const csv = await t.app.inject({
    ...{ method: 'GET', url: '/app/api/v1/export/shipments/export' },
    headers: { authorization: `Bearer ${s.admin.token}` },
  })
  for (const cell of ['tracking_number', 'TRK-90417', '080510', 'South Holland', 'Joris de Vries', 'Maersk'])
    expect(csv.payload).toContain(cell)
  const found = await s.ask('GET', '/shipments?search=trk-904')
  expect(found.payload.data.map(({ number }: { number: string }) => number)).toEqual([made.number])
  const budget = { aboveC: 4, aboveMinutes: 720 }
  const changed = await s.ask('PATCH', `/shipments/${made.id}`, { version: made.version, trackingNumber: null, budget })
  expect(changed.payload.budget).toMatchObject(budget)
  await s.ask('PATCH', `/shipments/${made.id}`, { state: 'ongoing' })
  const { version } = (await s.ask('GET', `/shipments/${made.id}`)).payload
  const later = (given: object | null) => s.ask('PATCH', `/shipments/${made.id}`, { version, budget: given })
  expect(Object.keys((await later(null)).body.fields)).toEqual(['budget'])
  expect((await later(budget)).status).toBe(200)
  expect(changed.payload.trackingNumber).toBeNull()
})

test('a flight may be without a waybill; a departure a little before the loading date is taken, a year before is not', async () => {
  const s = await scene()
  await s.made({ legs: [{ mode: 'air', flightNumber: 'ET 904' }] })
  const day = (days: number) =>
    at(days * 24 * hour)
      .toISOString()
      .slice(0, 10)
  await s.made({ loadingOn: day(3) })
  // Clocks of Rotterdam skip this hour.
  const skipped = await s.ask(
    'POST',
    '/shipments',
    s.body({ legs: [{ mode: 'sea', eta: '2027-03-28T02:30', toPort: 'NLRTM' }] }),
  )
  expect(JSON.stringify(skipped.body.fields)).toMatch(/legs\.0\.eta.*Europe\/Amsterdam/)
  const later = await s.made()
  const late = await s.ask('PATCH', `/shipments/${later.id}`, { version: later.version, loadingOn: day(380) })
  expect(Object.keys(late.body.fields)).toEqual(['loadingOn'])
  const early = await s.ask('POST', '/shipments', s.body({ loadingOn: day(380) }))
  expect(Object.keys(early.body.fields)).toEqual(['legs.0.etd'])
})

test('the list finds by number, container and product; who sees no private device is told of none', async () => {
  const s = await scene()
  const [open, secret] = [
    await aDevice(t, s.admin),
    await aDevice(t, { companyId: s.companyId, visibility: 'private' }),
  ]
  const devices = [open, secret].map(({ id }, n) => ({ id: String(id), place: `pulp${n + 1}` }))
  const made = await s.made({ devices, legs: [{ ...s.leg, containerNo: 'CSQU3054383' }] })
  await s.made({ product: 'Grapes', reference: 'S-90/1', devices: devices.slice(0, 1) })
  const numbers = async (query: string) =>
    (await s.ask('GET', `/shipments?${query}`)).payload.data.map(({ number }: { number: string }) => number)
  expect(await numbers('search=s-1')).toEqual([made.number])
  expect(await numbers('search=csqu%20305')).toEqual([made.number])
  for (const search of ['s901', 's%2090/1', '90-1'])
    expect([search, await numbers(`search=${search}`)]).toEqual([search, ['S-000002']])
  expect(await numbers('search=--')).toEqual([])
  expect(await numbers('search=grape&filter=pending')).toEqual(['S-000002'])
  expect(await numbers('filter=ongoing')).toEqual([])
  const manager = await buildUser(t, { company: s.admin, role: 'manager' })
  const asManager = (path: string) => s.ask('GET', path, undefined, manager.token)
  expect((await asManager(`/shipments/${made.id}`)).payload).toMatchObject({ deviceCount: 1, hiddenDevices: 1 })
  expect((await asManager('/shipments/devices-by-status')).payload).toMatchObject({ total: 1, hidden: 1 })
  const mine = (await s.ask('GET', '/shipments/devices-by-status')).payload
  expect(mine).toMatchObject({ total: 2, hidden: 0, byStatus: [{ status: 'awaiting', count: 2 }] })
  expect((await s.ask('GET', '/shipments/summary')).payload).toMatchObject({
    all: 2,
    byState: { pending: 2, ongoing: 0 },
  })
  t.clock.advance(2 * day)
  expect((await s.ask('GET', `/shipments/${made.id}`)).payload.isLate).toBe(true)
})

test('fences start and complete it at the times of the fixes', async () => {
  const s = await scene()
  const tracker = await aDevice(t, { companyId: s.companyId, limits: { temperatureMinC: -2, temperatureMaxC: 4 } })
  const made = await s.made({ devices: [{ id: String(tracker.id), place: 'air' }] })
  t.clock.advance(10 * hour)
  const sea = { lat: -20, lon: 5 }
  const way: [number, { lat: number; lon: number }][] = [
    ...([9, 8] as const).map((h): [number, typeof sea] => [-h, capeTown]),
    ...([7, 6, 5, 4] as const).map((h): [number, typeof sea] => [-h, sea]),
    ...([3, 2, 1] as const).map((h): [number, typeof sea] => [-h, rotterdam]),
  ]
  await pipeline.send(
    tracker,
    way.slice(0, 6).map(([h, place]) => ({ at: at(h * hour), temperatureC: 1, ...place })),
  )
  await sweepShipmentFences.run(t.services, {})
  const underWay = (await s.ask('GET', `/shipments/${made.id}`)).payload
  expect(underWay).toMatchObject({ state: 'ongoing', startedAt: at(-7 * hour).toISOString() })
  expect((await s.ask('GET', '/shipments/map')).payload.shipments).toMatchObject([
    { number: made.number, position: sea },
  ])
  await pipeline.send(
    tracker,
    way.slice(6).map(([h, place]) => ({ at: at(h * hour), temperatureC: 2, ...place })),
  )
  await sweepShipmentFences.run(t.services, {})
  await sweepShipmentFences.run(t.services, {})
  expect((await s.ask('GET', `/shipments/${made.id}`)).payload).toMatchObject({
    ...{ state: 'completed', endedAt: at(-3 * hour).toISOString() },
  })
  const [whole] = (await s.ask('GET', `/shipments/${made.id}/conditions`)).payload
  expect(whole.devices).toMatchObject([{ readings: 5, minC: 1, maxC: 2, outsideMs: 0 }])
})

test('fixes that come long after newer ones are heard by the hourly look', async () => {
  const s = await scene()
  const tracker = await aDevice(t, { companyId: s.companyId })
  const made = await s.made({ devices: [{ id: String(tracker.id), place: 'air' }] })
  t.clock.advance(20 * hour)
  const sea = { lat: -20, lon: 5 }
  const send = (hours: number[], place: typeof sea) =>
    pipeline.send(
      tracker,
      hours.map((h) => ({ at: at(-h * hour), temperatureC: 1, ...place })),
    )
  await send([1], sea)
  await sweepShipmentFences.run(t.services, {})
  await send([19, 18], capeTown)
  await send([17, 16], sea)
  await sweepShipmentFences.run(t.services, {})
  await sweepLateShipmentFences.run(t.services, {})
  expect((await s.ask('GET', `/shipments/${made.id}`)).payload).toMatchObject({
    ...{ state: 'ongoing', startedAt: at(-17 * hour).toISOString() },
  })
})

test('a leg that has departed arrives where its devices come to the terminal of its port', async () => {
  const s = await scene()
  const tracker = await aDevice(t, s.admin)
  const [durban, port] = await t.rows<{ lat: number; lon: number }>(
    `select lat, lon from ports where kind = 'sea' and code in ('ZADUR', 'BEANR') order by code desc`,
  )
  const legs = [
    { mode: 'sea', fromPort: 'ZADUR', toPort: 'BEANR', etd: at(hour).toISOString() },
    { mode: 'rail', toName: 'Venlo' },
  ]
  const made = await s.made({ legs, devices: [{ id: String(tracker.id), place: 'air' }] })
  t.clock.advance(10 * hour)
  const way = [durban, durban, port, port].map((place, index) => ({ at: at((index - 4) * hour), ...place }))
  await pipeline.send(
    tracker,
    way.map((fix) => ({ ...fix, temperatureC: 1 })),
  )
  await s.ask('PATCH', `/shipments/${made.id}`, { state: 'ongoing', at: at(-8 * hour).toISOString() })
  await sweepShipmentFences.run(t.services, {})
  const legOf = async () => (await s.ask('GET', `/shipments/${made.id}`)).payload.legs[0]
  // Nobody has said that it departed.
  expect(await legOf()).toMatchObject({ atd: null, ata: null })
  await s.milestone(made.id, 'departed', -8 * hour, { legId: made.legs[0].id })
  await pipeline.send(tracker, [{ at: at(0), temperatureC: 1, ...port }])
  await sweepShipmentFences.run(t.services, {})
  await sweepShipmentFences.run(t.services, {})
  expect(await legOf()).toMatchObject({ ata: at(-2 * hour).toISOString() })
  const { events, state } = (await s.ask('GET', `/shipments/${made.id}`)).payload
  expect(state).toBe('ongoing')
  expect(events.filter(({ kind }: { kind: string }) => kind === 'arrived')).toMatchObject([
    { source: 'geofence', timezone: 'Europe/Brussels', occurredAt: at(-2 * hour).toISOString() },
  ])
})

test('a shipment whose fence cannot be acted on keeps no other from its turn', async () => {
  const s = await scene()
  const made: { id: string }[] = []
  for (let n = 0; n < 2; n++) {
    const tracker = await aDevice(t, s.admin)
    made.push(await s.made({ devices: [{ id: String(tracker.id), place: 'air' }] }))
    const way = [capeTown, capeTown, { lat: -20, lon: 5 }, { lat: -20, lon: 5 }]
    t.clock.advance(10 * hour)
    await pipeline.send(
      tracker,
      way.map((place, index) => ({ at: at((index - 8) * hour), temperatureC: 1, ...place })),
    )
  }
  const states = async () =>
    Promise.all(made.map(async ({ id }) => (await s.ask('GET', `/shipments/${id}`)).payload.state))
  await t.pool.query(
    `alter table shipments add constraint unwritable check (id <> ${made[0]?.id} or state = 'pending')`,
  )
  await sweepShipmentFences.run(t.services, {})
  expect(await states()).toEqual(['pending', 'ongoing'])
  await t.pool.query('alter table shipments drop constraint unwritable')
  await sweepShipmentFences.run(t.services, {})
  expect(await states()).toEqual(['ongoing', 'ongoing'])
})

test('a vessel that has another name now is the same vessel: its leg, its times and its milestones stay', async () => {
  const s = await scene()
  const made = await s.made({ legs: [{ ...s.leg, vesselName: 'Cape Breeze', imo: '9074729', voyage: '208N' }] })
  t.clock.advance(3 * day)
  const left = (await s.milestone(made.id, 'departed', -day, { legId: made.legs[0].id })).payload
  const { sequence: _s, plannedEtd: _pd, plannedEta: _pa, atd, ata: _a, rolledAt: _r, ...leg } = left.legs[0]
  const renamed = { version: left.version, legs: [{ ...leg, vesselName: 'Table Bay Spirit' }] }
  const { status, payload } = await s.ask('PATCH', `/shipments/${made.id}`, renamed)
  expect(status, JSON.stringify(payload)).toBe(200)
  expect(payload.legs).toMatchObject([{ id: leg.id, vesselName: 'Table Bay Spirit', imo: '9074729', atd }])
  const kinds = payload.events.map(({ kind, legId }: { kind: string; legId: string }) => [kind, legId])
  expect(kinds).toContainEqual(['departed', leg.id])
  expect(kinds.map(([kind]: string[]) => kind)).not.toContain('legAdded')
  for (const search of ['IMO 9074729', '9074729', 'table bay'])
    expect((await s.ask('GET', `/shipments?search=${search}`)).payload.data).toMatchObject([{ number: made.number }])
})
