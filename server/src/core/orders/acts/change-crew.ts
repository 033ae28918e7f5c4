import type { OrderCrew } from '@isotherm/contract/order-life.ts'
import { showTrackingCode } from '../../../domain/tracking-code.ts'
import { AppError, invalidField, orNotFound } from '../../../platform/errors/app-error.ts'
import { noteRecord } from '../../devices/settings-changes.ts'
import { deviceIdOf } from '../../devices/visible-devices.ts'
import { insertDevices } from '../../records/record-queries.ts'
import { devicesOf, type OrderRow, receiversOf } from '../order-queries.ts'
import type { ActContext } from './act-context.ts'
import { runDevices, updateOrder } from './act-queries.ts'
import { freeCrew } from './crew.ts'
import { driverOf, type NewDevice, seenIds, setOrderDevices, vehicleOf } from './crew-queries.ts'
import { auditTarget, noteAct } from './note-act.ts'
import { recordedOf } from './recorded.ts'
import { refuseMove } from './refusals.ts'

/** The devices that are asked for, with those that the person may not see: they stay. Throws VALIDATION or NOT_FOUND. */
async function devicesFor(
  ctx: ActContext,
  order: OrderRow,
  wanted: NonNullable<OrderCrew['devices']>,
): Promise<NewDevice[]> {
  const receivers = new Set((await receiversOf(ctx, [order.id])).map(({ id }) => id))
  if (wanted.some(({ receiverId }) => receiverId !== null && !receivers.has(receiverId)))
    throw invalidField('devices', 'rule.unknownItem')
  const given = wanted.map(({ id, ...one }) => ({ ...one, id: deviceIdOf(id) }))
  const ids = new Set(given.map(({ id }) => id))
  if (ids.size < given.length) throw invalidField('devices', 'rule.unknownItem')
  const before = (await devicesOf(ctx, order.id)).map(({ device_id, role, receiver_id }) => ({
    ...{ id: device_id, role, receiverId: receiver_id },
  }))
  const seen = new Set(await seenIds(ctx, [...ids, ...before.map(({ id }) => id)], ctx.seesPrivate))
  if (given.some(({ id }) => !seen.has(id))) throw new AppError('NOT_FOUND')
  return [...given, ...before.filter(({ id }) => !seen.has(id))]
}

/** Names for events, which everybody sees who sees dispatch; devices are but counted. */
const factsOf = async (ctx: ActContext, order: OrderRow) => ({
  driver: (await driverOf(ctx, order, false))?.name ?? order.driver_name,
  plate: (await vehicleOf(ctx, order, false))?.plate ?? order.plate,
  devices: (await devicesOf(ctx, order.id)).length,
})

const deviceIdsOf = async (ctx: ActContext, { id }: OrderRow) =>
  new Set((await devicesOf(ctx, id)).map(({ device_id }) => device_id))

/** How many devices came and went. */
const turnover = (before: ReadonlySet<number>, after: ReadonlySet<number>) => ({
  devicesAdded: [...after].filter((id) => !before.has(id)).length,
  devicesRemoved: [...before].filter((id) => !after.has(id)).length,
})

/**
 * Gives a locked order that is not over another driver, vehicle or other devices. In progress all must be free for it; its record gets the
 * devices that are added and keeps those that go: what they measured was of these goods. Throws ORDER_OVER, CHANGED_MEANWHILE, NOT_FOUND,
 * VALIDATION or what `freeCrew` throws.
 */
export async function changeCrew(ctx: ActContext, order: OrderRow, change: OrderCrew): Promise<OrderRow> {
  await refuseMove(ctx, order, 'cancel')
  if (change.version !== order.version)
    throw new AppError('CHANGED_MEANWHILE', { name: showTrackingCode(order.tracking_code) })
  const [before, had] = [await factsOf(ctx, order), await deviceIdsOf(ctx, order)]
  const { driverId = order.driver_id, vehicleId = order.vehicle_id, devices } = change
  const wanted = { ...order, driver_id: driverId, vehicle_id: vehicleId }
  if (change.driverId) orNotFound(await driverOf(ctx, wanted, false))
  if (change.vehicleId) orNotFound(await vehicleOf(ctx, wanted, false))
  if (devices) await setOrderDevices(ctx, order.id, await devicesFor(ctx, order, devices))
  const named = order.state === 'inProgress' ? await runWith(ctx, wanted) : {}
  const crew = { driver_id: driverId, vehicle_id: vehicleId, ...named }
  const changed = await updateOrder(ctx, order.id, crew, ctx.clock.now())
  const after = await factsOf(ctx, changed)
  const detail = Object.fromEntries([
    ...Object.entries(before).map(([name, value]) => [`${name}Before`, value]),
    ...Object.entries(after).map(([name, value]) => [`${name}After`, value]),
    ...Object.entries(turnover(had, await deviceIdsOf(ctx, changed))),
    ...(change.reason ? [['reason', change.reason]] : []),
  ])
  await noteAct(ctx, order, {}, { kind: 'changed', at: ctx.clock.now(), detail })
  ctx.audit({
    action: 'orders.crewChanged',
    target: auditTarget(order),
    before,
    after: { ...after, ...(change.reason && { reason: change.reason }) },
  })
  return changed
}

async function runWith(ctx: ActContext, order: OrderRow) {
  const { driver, vehicle, devices } = await freeCrew(ctx, order, { isLocked: true })
  await runDevices(ctx, order.id, true)
  if (order.record_id !== null) {
    await insertDevices(ctx, order.record_id, recordedOf(devices))
    await noteRecord(ctx.tx, ctx.companyId, order.record_id)
  }
  return { driver_name: driver.name, plate: vehicle.plate }
}
