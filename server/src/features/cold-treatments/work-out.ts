import { calibrationOf } from '../../core/shipments/calibration-queries.ts'
import { dayAt, endOf } from '../../core/shipments/ends.ts'
import type { ShipmentRow } from '../../core/shipments/shipment-queries.ts'
import { asCarried } from '../../domain/cold-protocols.ts'
import { coldTreatmentClock, type Probe } from '../../domain/cold-treatment.ts'
import { hourMs } from '../../domain/rollup.ts'
import type { TenantTx } from '../../platform/context.ts'
import { carriageOfShipment } from './carriage.ts'
import { addUpHours, type HoursAsked, hoursOf } from './hour-queries.ts'
import { keptClock } from './keep-clock.ts'
import { loadedAt, type ProbeRow, probesOf, type TreatmentRow } from './queries.ts'

type Shipment = Pick<ShipmentRow, 'id' | 'origin' | 'ended_at' | 'cancelled_at'>

/** The time whose readings may prove a treatment; null before the goods were loaded. Air of before and after it is no fruit. */
export async function windowOf(ctx: TenantTx, { id, ended_at, cancelled_at }: Shipment, now: Date) {
  const from = await loadedAt(ctx, id, await carriageOfShipment(ctx, id))
  if (!from) return null
  return { from, until: Math.min(now.getTime(), (ended_at ?? cancelled_at ?? now).getTime()) }
}
type Window = NonNullable<Awaited<ReturnType<typeof windowOf>>>

export const hoursAsked = (shipmentId: string, probes: readonly ProbeRow[], { from, until }: Window): HoursAsked => ({
  ...{ shipmentId, deviceIds: probes.map(({ id }) => id), from, until: new Date(until) },
})

/** The probes with their hours as added up last, and what is taken off their readings: by the certificates of the loading, before it by those of now. */
export async function measuredProbes(
  ctx: TenantTx,
  shipment: Shipment,
  probes: readonly ProbeRow[],
  window: Window | null,
  now: Date,
): Promise<Probe[]> {
  const hours = window ? await hoursOf(ctx, hoursAsked(shipment.id, probes, window)) : new Map<number, never>()
  const calibrations = await calibrationOf(
    ctx,
    probes.map(({ id }) => id),
    dayAt(endOf(shipment.origin), window?.from ?? now),
  )
  return probes.map(({ id, joinedAt }) => ({
    ...{ id, offsetC: calibrations.get(id)?.offset_c ?? 0, hours: hours.get(id) ?? [] },
    joinedAt: joinedAt?.getTime() ?? null,
  }))
}

/** Works out the clock of a locked treatment from what its probes have told by now. */
export async function workOut(ctx: TenantTx, shipment: Shipment, row: TreatmentRow, now: Date) {
  const probes = await probesOf(ctx, shipment.id)
  const window = await windowOf(ctx, shipment, now)
  if (window) await addUpHours(ctx, hoursAsked(shipment.id, probes, window))
  const measured = await measuredProbes(ctx, shipment, probes, window, now)
  const until = window?.until ?? now.getTime()
  const verified = row.verified_gaps.map(({ from, to }) => ({ from: Date.parse(from), to: Date.parse(to) }))
  const protocol = asCarried(row.protocol, await carriageOfShipment(ctx, shipment.id))
  const clock = keptClock(coldTreatmentClock(protocol, measured, { until, verified }), until)
  // Before the loading, and in the hour after it, no probe has been silent for an hour.
  if (!window || until - window.from.getTime() < hourMs) clock.silent = []
  return { clock, isPrivate: probes.some((one) => one.isPrivate) }
}
