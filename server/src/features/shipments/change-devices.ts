import type { GivenShipmentDevice } from '@isotherm/contract/shipment-calls.ts'
import { shipmentLimits } from '@isotherm/contract/shipments.ts'
import { addToRecord, openRecord, takeOutOfRecord } from '../../core/records/order-record.ts'
import type { ShipmentActContext } from '../../core/shipments/acts/act-context.ts'
import {
  deleteShipmentDevices,
  leaveShipment,
  lockCarried,
  placeDevice,
  updateShipment,
} from '../../core/shipments/acts/act-queries.ts'
import { endFlightsOf, planFlights } from '../../core/shipments/acts/fly-devices.ts'
import { noteShipmentEvent } from '../../core/shipments/acts/note-event.ts'
import { freeDevices } from '../../core/shipments/acts/refusals.ts'
import { insertShipmentDevices, type ShipmentDeviceDraft } from '../../core/shipments/insert-queries.ts'
import {
  devicesOfShipment,
  devicesOn,
  legsOf,
  type ShipmentDeviceRow,
  type ShipmentRow,
} from '../../core/shipments/shipment-queries.ts'
import { showShipmentNumber } from '../../domain/shipment-number.ts'
import type { Context } from '../../platform/context.ts'
import type { Faults } from '../../platform/errors/faults.ts'
import { foundDevices } from './check-queries.ts'
import { draftDevices } from './draft-devices.ts'
import { devicesById } from './shipment-facts.ts'

/**
 * Checks the devices that a shipment is to have; those that the person does not see stay as they are. Under way one that is taken off keeps what it
 * measured there, and does not come back: given as it was, it stays off. None becomes a probe in fruit or stops to be one, nor is such a one
 * taken off: a treatment asks for so many. Returns what writes them; that throws what `freeDevices` throws.
 */
export async function changeDevices(
  ctx: Context,
  acting: ShipmentActContext,
  shipment: ShipmentRow,
  devices: readonly GivenShipmentDevice[],
  faults: Faults,
): Promise<() => Promise<void>> {
  const all = await devicesOfShipment(ctx, shipment.id)
  const kept = all.filter(({ left_at }) => left_at === null)
  const allIds = all.map(({ device_id }) => String(device_id))
  const seen = new Set((await foundDevices(ctx, allIds)).map(({ id }) => id))
  const hidden = kept.filter(({ device_id }) => !seen.has(device_id))
  const given = draftDevices(
    await devicesById(ctx, devices),
    devices,
    { taken: hidden.map(({ place }) => place), kept: new Set(allIds) },
    faults,
  )
  const left = new Map(
    all.flatMap((row) => (row.left_at === null || !seen.has(row.device_id) ? [] : [[row.device_id, row] as const])),
  )
  const drafts = given.filter((draft) => !isAsItWas(draft, left.get(draft.device_id)))
  const ids = drafts.map(({ device_id }) => device_id)
  const gone = kept.filter(({ device_id }) => seen.has(device_id) && !ids.includes(device_id))
  const isUnderWay = shipment.state === 'ongoing'
  if (isUnderWay && gone.some(({ place }) => place.startsWith('pulp'))) faults.add('devices', 'rule.probeUnderWay')
  const placeOf = new Map(kept.map(({ device_id, place }) => [device_id, place]))
  const added = drafts.filter(({ device_id }) => !placeOf.has(device_id))
  if (added.length > 0) refuseTooMany(hidden.length + drafts.length, isUnderWay ? all.length + added.length : 0, faults)
  for (const draft of drafts) {
    const { device_id, place } = draft
    const path = `devices.${given.indexOf(draft)}`
    if (left.has(device_id)) faults.add(`${path}.id`, 'rule.deviceLeft')
    const before = placeOf.get(device_id) ?? place
    if (isUnderWay && before !== place && [before, place].some((one) => one.startsWith('pulp')))
      faults.add(`${path}.place`, 'rule.probeUnderWay')
  }
  return async () => {
    const goneIds = gone.map(({ device_id }) => device_id)
    const addedIds = added.map(({ device_id }) => device_id)
    const now = ctx.clock.now()
    if (isUnderWay) await takeOff(acting, shipment, goneIds, now)
    else await deleteShipmentDevices(ctx, shipment.id, goneIds)
    // Places are given up before they are taken.
    for (const draft of drafts.filter(({ device_id }) => placeOf.has(device_id)))
      await placeDevice(ctx, shipment.id, { ...draft, place: 'air' })
    for (const draft of drafts.filter(({ device_id }) => placeOf.has(device_id)))
      await placeDevice(ctx, shipment.id, draft)
    const joinedAt = isUnderWay ? now : null
    if (joinedAt) await takeAlong(acting, shipment, addedIds, joinedAt)
    await insertShipmentDevices(
      ctx,
      shipment.id,
      added.map((draft) => ({ ...draft, is_running: isUnderWay, joined_at: joinedAt })),
    )
    for (const deviceId of addedIds) await noteShipmentEvent(acting, shipment, { kind: 'deviceAdded', deviceId })
    for (const deviceId of goneIds) await noteShipmentEvent(acting, shipment, { kind: 'deviceRemoved', deviceId })
  }
}

/**
 * Locks the devices of a shipment under way and those that it is to have, together by id: two shipments may give each other a device at once.
 * Before anything of an edit is written: its legs lock devices, too.
 */
export async function lockForEdit(
  acting: ShipmentActContext,
  shipment: ShipmentRow,
  devices: readonly GivenShipmentDevice[],
): Promise<void> {
  if (shipment.state !== 'ongoing') return
  const on = (await devicesOn(acting, shipment.id)).map(({ device_id }) => device_id)
  await lockCarried(acting, shipment.id, [...on, ...devices.map(({ id }) => Number(id))])
}

/** Those that were taken off are evidence, and stay: swapping adds to them. */
function refuseTooMany(atOnce: number, inAll: number, faults: Faults): void {
  const { devices, devicesInAll } = shipmentLimits
  if (atOnce > devices) faults.add('devices', 'rule.tooManyDevices', { limit: devices })
  else if (inAll > devicesInAll) faults.add('devices', 'rule.tooManyDevicesInAll', { limit: devicesInAll })
}

/** Whether a device that was taken off is given as it was on the shipment. */
const isAsItWas = (draft: ShipmentDeviceDraft, before: ShipmentDeviceRow | undefined): boolean =>
  before !== undefined &&
  before.place === draft.place &&
  before.pallet_ref === (draft.pallet_ref ?? null) &&
  before.sscc === (draft.sscc ?? null)

/** Devices leave a shipment under way, and its record; they are free for another one. */
async function takeOff(acting: ShipmentActContext, shipment: ShipmentRow, ids: readonly number[], at: Date) {
  if (ids.length === 0) return
  await endFlightsOf(acting, shipment.id, await lockCarried(acting, shipment.id, ids))
  await leaveShipment(acting, shipment.id, ids, at)
  if (shipment.record_id !== null) await takeOutOfRecord(acting, shipment.record_id, ids, at)
}

/** Devices join a shipment under way, and its record: what they measured before was something else. */
async function takeAlong(
  acting: ShipmentActContext,
  shipment: ShipmentRow,
  ids: readonly number[],
  joinedAt: Date,
): Promise<void> {
  if (ids.length === 0) return
  const devices = await freeDevices(acting, shipment.id, ids)
  if (shipment.record_id === null) await beginRecord(acting, shipment, ids, joinedAt)
  else await addToRecord(acting, shipment.record_id, ids, joinedAt)
  await planFlights(acting, shipment, await legsOf(acting, [shipment.id]), devices)
}

/** A shipment that started without devices has its first ones: its record begins with the shipment, and tells that nothing was measured until now. */
async function beginRecord(
  ctx: ShipmentActContext,
  shipment: ShipmentRow,
  deviceIds: readonly number[],
  joinedAt: Date,
) {
  const record_id = await openRecord(ctx, {
    ...{ name: showShipmentNumber(shipment.number), lot: shipment.lot, budget: shipment.budget, deviceIds, joinedAt },
    startAt: shipment.started_at ?? joinedAt,
    by: { id: ctx.by.userId ?? null, name: ctx.by.name ?? shipment.created_by_name },
  })
  await updateShipment(ctx, shipment.id, { record_id }, ctx.clock.now())
}
