import { expect, test } from 'vitest'
import { changing } from '../../../test/changed.ts'
import { describeApp, describePipeline } from '../../../test/describe-app.ts'
import { aDevice } from '../../../test/device-factory.ts'
import { buildUser } from '../../../test/factories.ts'
import { aShipmentPlace, capeTown, rotterdam } from '../../../test/shipment-factory.ts'
import { textOf } from '../../../test/text-of.ts'
import { trailOf } from '../../../test/trail.ts'
import { insertShipmentEvent } from '../../core/shipments/shipment-queries.ts'
import { startFlights } from '../device-life/jobs.ts'
import { sweepShipmentFences } from './sweep-fences.ts'

const t = describeApp()
const pipeline = describePipeline(t)
const hour = 3_600_000
const at = (hours: number) => new Date(t.clock.now().getTime() + hours * hour).toISOString()

interface EventLine {
  id: string
  kind: string
}

async function scene() {
  const admin = await buildUser(t)
  const [origin, destination] = [
    await aShipmentPlace(t, admin),
    await aShipmentPlace(t, admin, { kind: 'destination' }),
  ]
  const ask = async (method: 'GET' | 'POST' | 'PATCH', path: string, body?: object, token = admin.token) => {
    const answer = await t.call(method, `/export/shipments${path}`, { token, ...(body && { body }) })
    return { ...answer, payload: answer.body.payload }
  }
  const made = async (more: object = {}) => {
    const legs = [{ mode: 'sea', vesselName: 'Cold Star', fromPort: 'ZACPT', toPort: 'NLRTM' }]
    const answer = await ask('POST', '', {
      ...{ logistics: 'external', product: 'Oranges', originId: origin.id, destinationId: destination.id, legs },
      ...more,
    })
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    return answer.payload
  }
  /** Notes a milestone; the shipment and the id of the milestone. */
  const note = async (id: string, kind: string, hours: number, more: object = {}) => {
    const answer = await ask('POST', `/${id}/milestones`, { kind, at: at(hours), ...more })
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    const event = answer.payload.events.findLast(
      (one: EventLine & { isCorrected: boolean }) => one.kind === kind && !one.isCorrected,
    )
    return { shipment: answer.payload, id: event.id as string }
  }
  const withdraw = (id: string, milestoneId: string, reason = 'It was another vessel', token = admin.token) =>
    ask('POST', `/${id}/milestone-withdrawals`, { milestoneId, reason }, token)
  return { admin, ask, made, note, withdraw }
}

test('a milestone that never happened stays with who, when and why, and counts nowhere; it can be noted again', async () => {
  const s = await scene()
  const made = await s.made()
  const legId = made.legs[0].id
  await s.note(made.id, 'gateIn', -9, { legId })
  await s.note(made.id, 'departed', -8, { legId })
  const arrived = await s.note(made.id, 'arrived', -2, { legId })
  expect(arrived.shipment.legs[0].ata).toBe(at(-2))
  const link = (await s.ask('POST', `/${made.id}/links`, { label: 'Agent' })).payload
  const page = async () => {
    const token = link.url.split('#')[1]
    const answer = await t.app.inject({ method: 'POST', url: '/app/api/v1/shipment-link', payload: { token } })
    const { legs, milestones } = JSON.parse(answer.payload).payload
    return [legs[0].ata, milestones.map(({ kind }: EventLine) => kind)]
  }
  expect(await page()).toEqual([at(-2), ['gateIn', 'departed', 'arrived']])
  const { payload } = await s.withdraw(made.id, arrived.id)
  const withdrawn = { at: at(0), byName: s.admin.fullname, reason: 'It was another vessel' }
  expect(payload).toMatchObject({ state: 'ongoing', legs: [{ atd: at(-8), ata: null }] })
  expect(payload.version).toBe(arrived.shipment.version + 1)
  expect(payload.events.filter(({ kind }: EventLine) => /arriv|milest/.test(kind))).toMatchObject([
    { id: arrived.id, kind: 'arrived', isCorrected: true, withdrawn },
    { kind: 'milestoneWithdrawn', corrects: arrived.id, isCorrected: false, withdrawn: null },
  ])
  expect(await page()).toEqual([null, ['gateIn', 'departed']])
  const { stretches } = (await s.ask('GET', `/${made.id}/custody`)).payload
  expect(stretches.map(({ basis }: { basis: string }) => basis)).toEqual(['departed'])
  expect((await trailOf(t, s.admin.companyId)).at(-1)).toMatchObject({
    ...{ action: 'shipments.milestoneWithdrawn', reason: 'It was another vessel' },
    before: { milestone: 'arrived', at: at(-2) },
  })
  const again = await s.note(made.id, 'arrived', -1, { legId })
  expect(again.shipment.legs[0].ata).toBe(at(-1))
  expect(await page()).toEqual([at(-1), ['gateIn', 'departed', 'arrived']])
  const { payload: report } = await s.ask('POST', '/download-report', { shipmentId: made.id, locale: 'en' })
  await t.runJobs()
  const file = await t.app.inject({
    ...{ method: 'GET', url: `/app/api/v1/export/shipment-reports/${report.id}/file` },
    headers: { authorization: `Bearer ${s.admin.token}` },
  })
  const text = (await textOf(file.rawPayload, 'application/pdf')).replaceAll(/\s+/g, ' ')
  expect(text.replaceAll(' ', '')).toContain(`withdrawnby${s.admin.fullname}`.replaceAll(' ', ''))
})

test('EPCIS declares it in error: it did not occur; a new one of the same kind is another event', async () => {
  const s = await scene()
  const made = await s.made()
  const legId = made.legs[0].id
  const departed = await s.note(made.id, 'departed', -8, { legId })
  const told = async () => {
    const answer = await t.app.inject({
      ...{ method: 'GET', url: `/app/api/v1/export/shipments/${made.id}/epcis` },
      headers: { authorization: `Bearer ${s.admin.token}` },
    })
    const { eventList } = JSON.parse(answer.payload).epcisBody
    return eventList.map(({ bizStep, eventID, errorDeclaration }: Record<string, unknown>) => ({
      ...{ bizStep, eventID, errorDeclaration },
    }))
  }
  const [before] = await told()
  await s.withdraw(made.id, departed.id)
  const errorDeclaration = { declarationTime: at(0), reason: 'did_not_occur' }
  expect(await told()).toEqual([{ ...before, errorDeclaration }])
  await s.note(made.id, 'departed', -7, { legId })
  const [first, second] = await told()
  expect([first, second.errorDeclaration]).toEqual([{ ...before, errorDeclaration }, undefined])
  expect(second.eventID).not.toBe(first.eventID)
})

test('it is withdrawn once, by who may edit, of the own company, with a reason; a correction can be withdrawn, too', async () => {
  const s = await scene()
  const [made, other] = [await s.made(), await s.made()]
  const first = await s.note(made.id, 'gateIn', -9)
  const second = await s.note(made.id, 'gateIn', -8, { corrects: first.id })
  const elsewhere = await s.note(other.id, 'gateIn', -9)
  const created = made.events.find(({ kind }: EventLine) => kind === 'created').id
  for (const id of [elsewhere.id, created, '999999999'])
    expect(Object.keys((await s.withdraw(made.id, id)).body.fields), id).toEqual(['milestoneId'])
  expect((await s.withdraw(made.id, second.id, '  ')).status).toBe(422)
  const [staff, stranger] = [await buildUser(t, { company: s.admin, role: 'staff' }), await buildUser(t)]
  expect((await s.withdraw(made.id, second.id, 'Mistake', staff.token)).status).toBe(403)
  expect((await s.withdraw(made.id, second.id, 'Mistake', stranger.token)).status).toBe(404)
  expect((await s.withdraw(made.id, first.id)).body.code).toBe('MILESTONE_REPLACED')
  const both = await Promise.all([s.withdraw(made.id, second.id), s.withdraw(made.id, second.id)])
  expect(both.map(({ status, body }) => (status === 200 ? 'done' : body.code)).sort()).toEqual([
    ...['MILESTONE_REPLACED', 'done'],
  ])
  expect(
    (await s.ask('POST', `/${made.id}/milestones`, { kind: 'gateIn', at: at(-9), corrects: second.id })).status,
  ).toBe(422)
  await s.ask('PATCH', `/${other.id}`, { state: 'cancelled' })
  expect((await s.withdraw(other.id, elsewhere.id)).body.code).toBe('SHIPMENT_OVER')
})

test('a milestone that a device has told is withdrawn by those alone who see the device', async () => {
  const s = await scene()
  const made = await s.made()
  const hidden = await aDevice(t, { ...s.admin, visibility: 'private' })
  const id = await changing(t.pool, s.admin.companyId, ({ tx }) =>
    insertShipmentEvent(
      { tx, companyId: s.admin.companyId },
      {
        ...{ shipment_id: made.id, kind: 'gateIn', occurred_at: t.clock.now(), recorded_at: t.clock.now() },
        ...{ occurred_zone: 'UTC', source: 'device', device_id: hidden.id },
      },
    ),
  )
  const manager = await buildUser(t, { company: s.admin, role: 'manager' })
  expect((await s.withdraw(made.id, id, 'Mistake', manager.token)).status).toBe(422)
  expect((await s.withdraw(made.id, id)).status).toBe(200)
})

/** Its latest record, as far as a move matters. */
const recordOf = async (number: string, companyId: number) => {
  const all = await t.rows<{ id: string; state: string }>(
    `select id, state from records where company_id = ${companyId} and name = '${number}' order by id desc`,
  )
  return all.map(({ state }) => state)
}
const runningOn = (id: string) =>
  t.rows(`select device_id from shipment_devices where shipment_id = ${id} and is_running`)
const stateEvents = ({ events }: { events: EventLine[] }) =>
  events.map(({ kind }) => kind).filter((kind) => /^(started|completed|startUndone|completionUndone)$/.test(kind))

test('a shipment that a wrong departure started is pending again: devices free, record ended; it can be started anew', async () => {
  const s = await scene()
  const tracker = await aDevice(t, s.admin)
  const made = await s.made({ devices: [{ id: String(tracker.id), place: 'air' }] })
  const legId = made.legs[0].id
  const first = await s.note(made.id, 'departed', -8, { legId })
  await s.note(made.id, 'loaded', -9, { legId })
  const second = await s.note(made.id, 'departed', -7, { legId, corrects: first.id })
  const { payload } = await s.withdraw(made.id, second.id)
  expect(payload).toMatchObject({ state: 'pending', startedAt: null, recordId: null, legs: [{ atd: null }] })
  expect(payload.version).toBe(second.shipment.version + 1)
  expect(stateEvents(payload)).toEqual(['started', 'startUndone'])
  expect(payload.events.find(({ kind }: EventLine) => kind === 'started').isCorrected).toBe(true)
  expect([await recordOf(made.number, s.admin.companyId), await runningOn(made.id)]).toEqual([['ended'], []])
  expect((await trailOf(t, s.admin.companyId)).at(-1)).toMatchObject({
    ...{ action: 'shipments.startUndone', before: { state: 'ongoing' }, after: { state: 'pending' } },
  })
  const again = await s.note(made.id, 'departed', -1, { legId })
  expect(again.shipment).toMatchObject({ state: 'ongoing', startedAt: at(-1) })
  expect(await recordOf(made.number, s.admin.companyId)).toEqual(['running', 'ended'])
  expect((await s.withdraw(made.id, again.id)).payload.state).toBe('pending')
})

test('a shipment that a wrong delivery completed goes on, with its devices and the same record', async () => {
  const s = await scene()
  const tracker = await aDevice(t, s.admin)
  const made = await s.made({ devices: [{ id: String(tracker.id), place: 'air' }] })
  const departed = await s.note(made.id, 'departed', -8, { legId: made.legs[0].id })
  const delivered = await s.note(made.id, 'delivered', -2)
  expect([await recordOf(made.number, s.admin.companyId), await runningOn(made.id)]).toEqual([['ended'], []])
  const { payload } = await s.withdraw(made.id, delivered.id)
  const { recordId } = departed.shipment
  expect(payload).toMatchObject({ state: 'ongoing', startedAt: at(-8), endedAt: null, recordId })
  expect(stateEvents(payload)).toEqual(['started', 'completed', 'completionUndone'])
  expect(await recordOf(made.number, s.admin.companyId)).toEqual(['running'])
  expect(await runningOn(made.id)).toEqual([{ device_id: tracker.id }])
  expect((await s.note(made.id, 'delivered', -1)).shipment).toMatchObject({ state: 'completed', endedAt: at(-1) })
  // The departure made a state that the shipment has left since.
  expect((await s.withdraw(made.id, departed.id)).payload).toMatchObject({ state: 'completed', startedAt: at(-8) })
})

test('the state stays, and the withdrawal says why, where something else stands on it', async () => {
  const s = await scene()
  const legs = [
    { mode: 'rail', carrierName: 'Harbour Haulage' },
    { mode: 'sea', vesselName: 'Cold Star' },
  ]
  const tracker = await aDevice(t, s.admin)
  const devices = [{ id: String(tracker.id), place: 'air' }]
  const kept = async (id: string, milestoneId: string) => {
    const { payload } = await s.withdraw(id, milestoneId)
    return [payload.state, payload.events.find((one: { corrects: string }) => one.corrects === milestoneId).detail.kept]
  }
  const known = await s.made({ legs })
  const first = await s.note(known.id, 'departed', -8, { legId: known.legs[0].id })
  await s.note(known.id, 'arrived', -7, { legId: known.legs[0].id })
  expect(await kept(known.id, first.id)).toEqual(['ongoing', 'milestones'])

  const byHand = await s.made()
  await s.ask('PATCH', `/${byHand.id}`, { state: 'ongoing' })
  const later = await s.note(byHand.id, 'departed', 0, { legId: byHand.legs[0].id })
  expect(await kept(byHand.id, later.id)).toEqual(['ongoing', undefined])

  const rolled = await s.made({ legs })
  const left = await s.note(rolled.id, 'departed', -8, { legId: rolled.legs[0].id })
  const next = { legId: rolled.legs[1].id, leg: { mode: 'sea', vesselName: 'Cold Moon' } }
  expect((await s.ask('POST', `/${rolled.id}/roll-over`, next)).status).toBe(200)
  expect(await kept(rolled.id, left.id)).toEqual(['ongoing', 'acts'])

  const signed = await s.made({ devices })
  await s.note(signed.id, 'departed', -8, { legId: signed.legs[0].id })
  const over = await s.note(signed.id, 'delivered', -2)
  await t.change(
    s.admin.companyId,
    `insert into record_signatures (company_id, record_id, signer_id, signer_name, signer_role, signed_at, meaning, reason, parts, content_sha256, sha256)
     values (${s.admin.companyId}, ${over.shipment.recordId}, ${s.admin.id}, 'Somebody', 'admin', now(), 'reviewed', 'Seen', '{}', '\\x00', '\\x00')`,
  )
  expect(await kept(signed.id, over.id)).toEqual(['completed', 'signed'])

  const freed = await s.made({ devices })
  await s.note(freed.id, 'departed', -8, { legId: freed.legs[0].id })
  const ended = await s.note(freed.id, 'delivered', -2)
  const other = await s.made({ devices })
  await s.ask('PATCH', `/${other.id}`, { state: 'ongoing' })
  expect(await kept(freed.id, ended.id)).toEqual(['completed', 'devices'])
  expect(await runningOn(other.id)).toEqual([{ device_id: tracker.id }])

  const boxed = { legs: [{ mode: 'sea', vesselName: 'Cold Star', containerNo: 'CSQU3054383' }] }
  const emptied = await s.made(boxed)
  await s.note(emptied.id, 'departed', -8, { legId: emptied.legs[0].id })
  const gone = await s.note(emptied.id, 'delivered', -2)
  const taker = await s.made(boxed)
  expect((await s.ask('PATCH', `/${taker.id}`, { state: 'ongoing' })).status).toBe(200)
  expect(await kept(emptied.id, gone.id)).toEqual(['completed', 'container'])
})

test('an arrival cannot be withdrawn once the container is under way with another shipment', async () => {
  const s = await scene()
  const legs = [{ mode: 'sea', vesselName: 'Cold Star', containerNo: 'CSQU3054383' }]
  const [made, next] = [await s.made({ legs }), await s.made({ legs })]
  await s.note(made.id, 'departed', -8, { legId: made.legs[0].id })
  const arrived = await s.note(made.id, 'arrived', -2, { legId: made.legs[0].id })
  expect((await s.ask('PATCH', `/${next.id}`, { state: 'ongoing' })).status).toBe(200)
  expect((await s.withdraw(made.id, arrived.id)).body.code).toBe('CONTAINER_BUSY')
  expect((await s.ask('GET', `/${made.id}`)).payload.legs[0].ata).toBe(at(-2))
})

test('a fence notes none again that a person has withdrawn', async () => {
  const s = await scene()
  const tracker = await aDevice(t, s.admin)
  const made = await s.made({ devices: [{ id: String(tracker.id), place: 'air' }] })
  t.clock.advance(10 * hour)
  await s.note(made.id, 'departed', -8, { legId: made.legs[0].id })
  const way = [capeTown, capeTown, rotterdam, rotterdam]
  await pipeline.send(
    tracker,
    way.map((place, index) => ({ at: new Date(at(index - 4)), temperatureC: 1, ...place })),
  )
  const standing = async () => {
    await sweepShipmentFences.run(t.services, {})
    const { events } = (await s.ask('GET', `/${made.id}`)).payload
    return events.filter((one: EventLine & { isCorrected: boolean }) => one.kind === 'arrived' && !one.isCorrected)
  }
  await t.change(
    s.admin.companyId,
    `update shipments set destination = jsonb_set(destination, '{radiusM}', 'null') where id = ${made.id}`,
  )
  const [arrived] = await standing()
  expect(arrived).toMatchObject({ source: 'geofence' })
  expect((await s.withdraw(made.id, arrived.id)).status).toBe(200)
  await pipeline.send(tracker, [{ at: new Date(at(0)), temperatureC: 1, ...rotterdam }])
  expect(await standing()).toEqual([])
})

test('a fence starts no shipment again whose departure a person has withdrawn, of whichever leg it was', async () => {
  const s = await scene()
  const carried = [await aDevice(t, s.admin), await aDevice(t, s.admin)]
  const all = []
  const legs = [{ mode: 'sea', vesselName: 'Cold Star', etd: at(1) }]
  for (const { id } of carried) all.push(await s.made({ legs, devices: [{ id: String(id), place: 'air' }] }))
  t.clock.advance(10 * hour)
  const [wrong, other] = all
  const departed = await s.note(wrong.id, 'departed', -3, { legId: wrong.legs[0].id })
  expect((await s.withdraw(wrong.id, departed.id)).payload.state).toBe('pending')
  for (const tracker of carried)
    await pipeline.send(
      tracker,
      [capeTown, capeTown, rotterdam, rotterdam].map((place, index) => ({
        at: new Date(at(index - 4)),
        temperatureC: 1,
        ...place,
      })),
    )
  await sweepShipmentFences.run(t.services, {})
  const states = await Promise.all([wrong, other].map(async ({ id }) => (await s.ask('GET', `/${id}`)).payload.state))
  expect(states).toEqual(['pending', 'ongoing'])
})

test('devices of a flight whose departure never was send again; one whose arrival never was is in the air again', async () => {
  const s = await scene()
  const tracker = await aDevice(t, s.admin)
  const legs = [{ mode: 'air', flightNumber: 'ET 904', etd: at(30) }]
  const made = await s.made({ legs, devices: [{ id: String(tracker.id), place: 'air' }] })
  const legId = made.legs[0].id
  const flights = () =>
    t.rows(`select state, departs_at from flight_modes where device_id = ${tracker.id} and state <> 'off'`)
  const asked = async () => {
    const [command] = await t.rows<{ state: string }>(
      `select value ->> 'state' as state from device_commands where device_id = ${tracker.id} and kind = 'flight_mode' order by id desc limit 1`,
    )
    return command?.state
  }
  const departed = await s.note(made.id, 'departed', 0, { legId })
  await startFlights.run(t.services, {})
  expect(await asked()).toBe('on')
  await s.withdraw(made.id, departed.id)
  expect([await asked(), await flights()]).toEqual(['off', []])
  t.clock.advance(hour)
  await s.note(made.id, 'departed', -0.5, { legId })
  await startFlights.run(t.services, {})
  const arrived = await s.note(made.id, 'arrived', 0, { legId })
  expect([await asked(), await flights()]).toEqual(['off', []])
  await s.withdraw(made.id, arrived.id)
  await startFlights.run(t.services, {})
  expect([await asked(), await flights()]).toMatchObject(['on', [{ state: 'on' }]])
})

test('a device that was taken off stays free where a completion is undone, and is forgotten where the start is', async () => {
  const s = await scene()
  const [kept, lent, added] = [await aDevice(t, s.admin), await aDevice(t, s.admin), await aDevice(t, s.admin)]
  const given = (...ids: number[]) => ids.map((id) => ({ id: String(id), place: 'air' }))
  const made = await s.made({ devices: given(kept.id, lent.id) })
  const departed = await s.note(made.id, 'departed', -8, { legId: made.legs[0].id })
  const { version } = departed.shipment
  await s.ask('PATCH', `/${made.id}`, { version, devices: given(kept.id, added.id) })
  const delivered = await s.note(made.id, 'delivered', 0)
  await s.withdraw(made.id, delivered.id)
  expect((await runningOn(made.id)).map(({ device_id }) => device_id).sort()).toEqual([kept.id, added.id].sort())
  const { payload } = await s.withdraw(made.id, departed.id)
  expect(payload.state).toBe('pending')
  expect(
    payload.devices.map(({ id, joinedAt, leftAt }: Record<string, unknown>) => [Number(id), joinedAt, leftAt]).sort(),
  ).toEqual([kept.id, added.id].sort().map((id) => [id, null, null]))
})
