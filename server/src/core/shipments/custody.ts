import type { HeldShipmentExcursion, ShipmentCustody } from '@isotherm/contract/shipment-evidence.ts'
import { MilestoneKind } from '@isotherm/contract/shipments.ts'
import { lengthMs } from '../../domain/budget.ts'
import { partsOf } from '../../domain/custody.ts'
import { type CustodyMilestone, custodyOfShipment, type ShipmentStretch } from '../../domain/shipment-custody.ts'
import type { Context } from '../../platform/context.ts'
import { type ExcursionSource, heldExcursions } from '../devices/held-excursions.ts'
import { type NamedShipmentDevice, seenDevicesOf } from './card-queries.ts'
import { endOf } from './ends.ts'
import { presentMeasured } from './measured.ts'
import { measuredDuring } from './measured-queries.ts'
import { presentEvents } from './present-shipment.ts'
import { devicesOfShipment, eventsOf, findShipment, type LegRow, legsOf, type ShipmentRow } from './shipment-queries.ts'

/**
 * The holders of a shipment's goods from its start to its end, or to now, and what the devices that the reader sees measured with each of
 * them; null before the start. Throws NOT_FOUND.
 */
export async function shipmentCustody(
  ctx: Context,
  excursionsOf: ExcursionSource,
  shipmentId: string,
): Promise<ShipmentCustody | null> {
  const shipment = await findShipment(ctx, shipmentId)
  const custody = await custodyStretches(ctx, shipment)
  if (!custody) return null
  const spans = custody.map(({ from, to }) => ({ from: new Date(from), to: new Date(to) }))
  const rows = Map.groupBy(spans.length > 0 ? await measuredDuring(ctx, shipmentId, spans) : [], (row) => row.stretch)
  const devices = await seenDevicesOf(ctx, shipmentId)
  const excursions = await excursionsWithin(ctx, excursionsOf, custody, devices)
  const outside = excursions
    .filter(({ measure }) => measure === 'temperature')
    .map(({ from, to }) => ({ from: Date.parse(from), to: Date.parse(to) }))
  const stretches = custody.map((stretch, index) => ({
    ...{ holder: stretch.holder, from: iso(stretch.from), to: iso(stretch.to), basis: stretch.basis },
    devices: (rows.get(index + 1) ?? []).map(presentMeasured),
    outsideMs: lengthMs(outside.flatMap((each) => partsOf([stretch], each))),
  }))
  return {
    ...{ stretches, totals: totalsOf(stretches), excursions },
    hiddenDevices: (await devicesOfShipment(ctx, shipmentId)).length - devices.length,
  }
}

const iso = (ms: number) => new Date(ms).toISOString()

/** The stretches of custody by the legs that stand and the milestones that the reader sees; null before the start. */
export async function custodyStretches(ctx: Context, shipment: ShipmentRow): Promise<ShipmentStretch[] | null> {
  const { id, started_at: from, origin, destination } = shipment
  if (!from) return null
  const legs = (await legsOf(ctx, [id])).filter(({ rolled_at }) => rolled_at === null)
  const events = await presentEvents(ctx, await eventsOf(ctx, id))
  const consignee = endOf(destination)
  return custodyOfShipment({
    ...{ from: from.getTime(), to: (shipment.ended_at ?? shipment.cancelled_at ?? ctx.clock.now()).getTime() },
    ...{ origin: endOf(origin).name, consignee: consignee.companyName ?? consignee.name, legs: legs.map(custodyLeg) },
    milestones: events.flatMap(({ kind, occurredAt, legId, placeName, isCorrected }): CustodyMilestone[] => {
      const milestone = MilestoneKind.safeParse(kind)
      return isCorrected || !milestone.success
        ? []
        : [{ kind: milestone.data, at: Date.parse(occurredAt), legId, placeName }]
    }),
  })
}

const custodyLeg = (leg: LegRow) => ({
  ...{ id: leg.id, mode: leg.mode as 'sea', fromName: leg.from_name, toName: leg.to_name },
  carrier: leg.carrier_name ?? leg.carrier_code ?? leg.vessel_name ?? leg.flight_number,
})

/** The time of each holder, and how long the temperature of at least one device was out of range meanwhile. */
function totalsOf(stretches: ShipmentCustody['stretches']): ShipmentCustody['totals'] {
  const byHolder = Map.groupBy(stretches, ({ holder }) => JSON.stringify(holder))
  return [...byHolder.values()].flatMap((own) => {
    const [first] = own
    if (!first) return []
    const heldMs = own.reduce((sum, { from, to }) => sum + Date.parse(to) - Date.parse(from), 0)
    const outsideMs = own.reduce((sum, stretch) => sum + stretch.outsideMs, 0)
    return [{ holder: first.holder, heldMs, outsideMs }]
  })
}

async function excursionsWithin(
  ctx: Context,
  excursionsOf: ExcursionSource,
  custody: readonly ShipmentStretch[],
  devices: readonly NamedShipmentDevice[],
): Promise<HeldShipmentExcursion[]> {
  const all: HeldShipmentExcursion[] = []
  for (const { device_id, name, since, until } of devices) {
    const counted = { from: since.getTime(), to: until.getTime() }
    const held = heldExcursions(ctx, excursionsOf, String(device_id), custody, counted)
    for await (const { excursion, outside, shares, peak } of held)
      all.push({
        ...{ deviceId: String(device_id), deviceName: name, measure: excursion.measure, side: excursion.side },
        ...{ peak, from: iso(outside.from), to: iso(outside.to), shares },
      })
  }
  return all.sort((a, b) => Date.parse(a.from) - Date.parse(b.from))
}
