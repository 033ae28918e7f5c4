import { showTrackingCode } from '../../../domain/tracking-code.ts'
import { openRecord } from '../../records/order-record.ts'
import { noteEvent } from '../events.ts'
import { refuseWarm, type Warning, warningsOf } from '../fitness.ts'
import { isPreCoolRequired } from '../fitness-queries.ts'
import { refuseUninsured } from '../insurance.ts'
import { tellReceivers } from '../links.ts'
import type { OrderRow } from '../order-queries.ts'
import type { Act, ActContext } from './act-context.ts'
import { isHeard, moveOrder, runDevices, updateOrder } from './act-queries.ts'
import { type Crew, freeCrew } from './crew.ts'
import { auditTarget, noteAct } from './note-act.ts'
import { recordedOf } from './recorded.ts'
import { happenedTo, instantOf, refuseBefore, refuseMove, refuseTooEarly } from './refusals.ts'

/**
 * Starts a locked order, with a record of its devices; goods cannot wait for what is only worth a warning, which is kept as an event. By
 * the rule `and` it starts once somebody has said so and its devices have left. Throws ORDER_STARTED, ORDER_OVER, TIME_OUT_OF_ORDER,
 * ORDER_TOO_EARLY, INSURANCE_PENDING, INSURANCE_MISMATCH, PRE_COOL_NEEDED, VALIDATION, or what `freeCrew` throws.
 */
export async function startOrder(ctx: ActContext, order: OrderRow, act: Act): Promise<OrderRow> {
  if (await isHeard(ctx, order.id, act.requestId)) return order
  await refuseMove(ctx, order, 'start')
  const told = instantOf(ctx, act.at)
  refuseBefore(ctx, order.pickup_zone, told, happenedTo(order, []))
  refuseTooEarly(order, told)
  await refuseUninsured(ctx, order)
  const crew = await freeCrew(ctx, order, { isLocked: true })
  const { warnings, devices } = await warningsOf(ctx, order, crew.driver, told)
  if (await isPreCoolRequired(ctx)) refuseWarm(ctx, devices)
  const at = bothAt(ctx, order, told)
  return at ? begin(ctx, order, act, { at, crew, warnings }) : askedOf(ctx, order, act, told)
}

/** When an order starts: by the rule `and` at the later of what is said and what the devices do; null while one of them is missing. */
function bothAt(ctx: ActContext, order: OrderRow, told: Date): Date | null {
  if (order.start_rule !== 'and') return told
  const other = ctx.by.source === 'geofence' ? order.start_asked_at : order.left_pickup_at
  return other && (other > told ? other : told)
}

async function askedOf(ctx: ActContext, order: OrderRow, act: Act, at: Date): Promise<OrderRow> {
  // The sweep has kept when the devices left.
  if (ctx.by.source === 'geofence') return order
  await noteAct(ctx, order, act, { kind: 'changed', at, detail: { asked: 'start' } })
  ctx.audit({ action: 'orders.startAsked', target: auditTarget(order), after: { at: at.toISOString() } })
  return updateOrder(ctx, order.id, { start_asked_at: at }, ctx.clock.now())
}

interface Beginning {
  at: Date
  crew: Crew
  warnings: readonly Warning[]
}

async function begin(ctx: ActContext, order: OrderRow, act: Act, { at, crew, warnings }: Beginning): Promise<OrderRow> {
  const { driver, vehicle } = crew
  const started = await moveOrder(ctx, order.id, 'start', ctx.clock.now(), {
    started_at: at,
    record_id: await recordOf(ctx, order, crew, at),
    driver_name: driver.name,
    plate: vehicle.plate,
    fences_seen_at: at,
  })
  if (!started) throw new Error(`order ${order.id} was locked, and started all the same`)
  await runDevices(ctx, order.id, true)
  for (const { code, deviceId, value } of warnings)
    await noteEvent(ctx, order.id, {
      ...{ kind: 'warned', at, zone: order.pickup_zone, by: ctx.by, deviceId, detail: { code, value } },
    })
  await noteAct(ctx, order, act, { kind: 'started', at, detail: { driver: driver.name, plate: vehicle.plate } })
  await tellReceivers(ctx, started, 'started')
  ctx.audit({
    action: 'orders.started',
    target: auditTarget(order),
    after: {
      at: at.toISOString(),
      driver: driver.name,
      plate: vehicle.plate,
      warnings: warnings.map(({ code }) => code),
    },
  })
  return started
}

/** The record of an order: of its cargo, or of its vehicle's devices where it has no others; null without any. */
async function recordOf(ctx: ActContext, order: OrderRow, { devices }: Crew, at: Date): Promise<string | null> {
  const deviceIds = recordedOf(devices)
  if (deviceIds.length === 0) return null
  return openRecord(ctx, {
    ...{ name: showTrackingCode(order.tracking_code), lot: order.lot, budget: order.budget, startAt: at },
    deviceIds,
    by: { id: ctx.by.userId ?? null, name: ctx.by.name ?? order.created_by_name },
  })
}
