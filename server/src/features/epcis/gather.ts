import type { Period } from '@isotherm/contract/common.ts'
import { epcisLimits } from '@isotherm/contract/epcis.ts'
import { ShipmentEnd, type ShipmentEventKind, ShipmentPartner } from '@isotherm/contract/shipments.ts'
import type { StatsOfDevice, Verdict } from '@isotherm/contract/stats.ts'
import { countedDevices, partlySeen } from '../../core/shipments/counted-queries.ts'
import { exportSettingsOf } from '../../core/shipments/export-settings.ts'
import { productsOfRow } from '../../core/shipments/products.ts'
import {
  devicesOfShipment,
  eventsOf,
  findShipment,
  type LegRow,
  legsOf,
  type ShipmentDeviceRow,
  type ShipmentEventRow,
  type ShipmentRow,
} from '../../core/shipments/shipment-queries.ts'
import { type EpcisDocument, epcisOf } from '../../domain/epcis/epcis.ts'
import type { DayOfDevice, Naming, Shipped, ShippedLeg, Stretch } from '../../domain/epcis/shipped.ts'
import { stretchesOf } from '../../domain/epcis/stretches.ts'
import { verdictOfRecord } from '../../domain/record-verdict.ts'
import type { Context } from '../../platform/context.ts'
import { uuid5 } from '../../platform/uuid5.ts'
import { evidenceOf } from './evidence.ts'
import { type DayRow, type DeviceSpan, excursionsBegun, seenDevices, sumsByDay } from './queries.ts'

/** The figures that another feature knows; the app hands them in. */
export interface EpcisSources {
  stats(ctx: Context, deviceId: number, period: Period): Promise<StatsOfDevice>
}

export interface Gathered {
  document: EpcisDocument
  shipment: ShipmentRow
  usesGs1: boolean
}

const dayMs = 86_400_000

/** The document of a shipment, as the person may see it. Throws NOT_FOUND. */
export async function gatherDocument(ctx: Context, sources: EpcisSources, id: string): Promise<Gathered> {
  const shipment = await findShipment(ctx, id)
  // A vessel that the goods missed never carried them.
  const legs = (await legsOf(ctx, [id])).filter(({ rolled_at }) => rolled_at === null).map(presentLeg)
  const all = await devicesOfShipment(ctx, id)
  const seen = await seenDevices(ctx, id)
  const devices = all.filter(({ device_id }) => seen.has(device_id))
  // A milestone that a hidden device saw is hidden with it.
  const rows = (await eventsOf(ctx, id)).filter(({ device_id }) => device_id === null || seen.has(device_id))
  const events = rows.map(presentEvent)
  const { started_at: startedAt, ended_at, cancelled_at } = shipment
  const now = ctx.clock.now()
  const span = startedAt && told(startedAt, ended_at ?? cancelled_at, now)
  const stretches = span ? stretchesOf({ startedAt: span.from, endedAt: span.to, legs, events }, now) : []
  const spans = devices.map(spanOf)
  const days = stretches.length > 0 ? await sumsByDay(ctx, spans, stretches) : []
  const [first, last] = [stretches[0], stretches.at(-1)]
  const beyond = first && last ? await excursionsBegun(ctx, spans, { from: first.from, to: last.to }) : []
  const { gs1Prefix, gln, portGlns } = await exportSettingsOf(ctx)
  const hiddenDevices = all.length - devices.length
  const naming: Naming = {
    ...{ companyId: ctx.companyId, publicUrl: ctx.services.config.publicUrl, uuidOf: uuid5 },
    ...{ gs1Prefix, gln, portGlns: new Map(portGlns.map(({ code, gln: number }) => [code, number])) },
  }
  const verdict = hiddenDevices === 0 ? await verdictOf(ctx, sources, shipment) : null
  const { evidence, heardAt } = await evidenceOf(ctx, shipment, verdict === null ? [] : [...seen])
  const shipped: Shipped = {
    ...{ id: shipment.id, number: String(shipment.number), lot: shipment.lot },
    products: productsOfRow(shipment),
    origin: ShipmentEnd.parse(shipment.origin),
    destination: ShipmentEnd.parse(shipment.destination),
    partnerId: ShipmentPartner.nullable().parse(shipment.partner)?.id ?? null,
    ...{ startedAt, endedAt: ended_at, legs, hiddenDevices },
    ...{ verdict, evidence },
    devices: devices.map((row) => ({ place: row.place, sscc: row.sscc, ...spanOf(row) })),
    pallets: [...new Set(all.flatMap(({ sscc }) => sscc ?? []))].sort(),
    days: days.flatMap((row) => presentDay(row, stretches) ?? []),
    ...{ events, beyond },
  }
  const changes = [
    shipment.updated_at,
    ...rows.map(({ recorded_at }) => recorded_at),
    ...[...days, ...beyond].map((one) => one.heardAt),
    ...heardAt,
  ]
  const changedAt = new Date(Math.max(...changes.map((at) => at.getTime())))
  return { document: epcisOf(naming, shipped, changedAt), shipment, usesGs1: naming.gs1Prefix !== null }
}

/** The time that conditions are told of: one that nobody ended is not read for ever. While it goes on, whole days of UTC only. */
function told(from: Date, end: Date | null, now: Date): { from: Date; to: Date } {
  const last = end ?? new Date(Math.floor(now.getTime() / dayMs) * dayMs)
  return { from, to: new Date(Math.min(last.getTime(), from.getTime() + epcisLimits.days * dayMs)) }
}

/** The verdict of a shipment that ended, by what counts of each device, as its page has it; null: nothing does. */
async function verdictOf(
  ctx: Context,
  sources: EpcisSources,
  { id, started_at, ended_at }: ShipmentRow,
): Promise<Verdict | null> {
  const counted = started_at && ended_at ? await countedDevices(ctx, id) : []
  if (counted.length === 0) return null
  const stats: StatsOfDevice[] = []
  for (const { id: deviceId, since, until } of counted)
    stats.push(await sources.stats(ctx, deviceId, { from: since.toISOString(), to: until.toISOString() }))
  const verdict = verdictOfRecord(stats)
  return verdict === 'inRange' && (await partlySeen(ctx, id)) !== null ? 'incomplete' : verdict
}

const spanOf = (row: ShipmentDeviceRow): DeviceSpan => ({
  ...{ id: row.device_id, joinedAt: row.joined_at, leftAt: row.left_at },
})

const presentLeg = (row: LegRow): ShippedLeg => ({
  ...{ id: row.id, mode: row.mode as ShippedLeg['mode'], fromPort: row.from_port, toPort: row.to_port },
  ...{ fromZone: row.from_zone, toZone: row.to_zone, vesselName: row.vessel_name, imo: row.imo, voyage: row.voyage },
  ...{ flightNumber: row.flight_number, awb: row.awb, containerNo: row.container_no, sealNo: row.seal_no },
  ...{ containerUnchecked: row.container_unchecked, atd: row.atd },
})

const presentEvent = (row: ShipmentEventRow) => ({
  ...{ id: row.id, legId: row.leg_id, kind: row.kind as ShipmentEventKind, deviceId: row.device_id },
  ...{ occurredAt: row.occurred_at, zone: row.occurred_zone, recordedAt: row.recorded_at, corrects: row.corrects },
  ...{ portCode: row.port_code, lat: row.lat, lon: row.lon },
})

const spreadOf = (min: number | null, max: number | null, mean: number | null, n: number) =>
  min === null || max === null || mean === null ? null : { min, max, mean, n }

function presentDay(
  { tMin, tMax, tMean, tN, hMin, hMax, hMean, hN, ...row }: DayRow,
  stretches: readonly Stretch[],
): DayOfDevice | undefined {
  const stretch = stretches[row.stretch - 1]
  return (
    stretch && {
      ...{ deviceId: row.deviceId, from: row.from, to: row.to, readings: row.readings },
      ...{ stretch: row.stretch, legId: stretch.legId, isMoving: stretch.isMoving },
      temperature: spreadOf(tMin, tMax, tMean, tN),
      humidity: spreadOf(hMin, hMax, hMean, hN),
    }
  )
}
