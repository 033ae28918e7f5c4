import type {
  ColdProtocol,
  ProtocolChoice,
  ShipmentTreatment,
  Treatment,
  TreatmentForecast,
} from '@isotherm/contract/cold-treatments.ts'
import type { ShipmentEnd } from '@isotherm/contract/shipments.ts'
import { calibrationOf } from '../../core/shipments/calibration-queries.ts'
import { dayAt, endOf } from '../../core/shipments/ends.ts'
import { productsOfRow } from '../../core/shipments/products.ts'
import { findShipment, legsOf, type ShipmentRow } from '../../core/shipments/shipment-queries.ts'
import { asCarried, coldProtocols, type Protocol } from '../../domain/cold-protocols.ts'
import { judgedProbes, type Probe } from '../../domain/cold-treatment.ts'
import { fromCenti } from '../../domain/measures.ts'
import type { Viewer, ViewerTx } from '../../platform/context.ts'
import { carriageOfShipment } from './carriage.ts'
import { isMixed } from './fruit-types.ts'
import type { KeptClock } from './keep-clock.ts'
import {
  allowsUnverified,
  countAir,
  findTreatment,
  isLoadingNoted,
  probesOf,
  seenAmong,
  type TreatmentRow,
} from './queries.ts'
import { measuredProbes, windowOf } from './work-out.ts'

const celsius = (value: number | null) => (value === null ? null : fromCenti(value))

function presentProtocol({ id, market, commodity, pest, ...protocol }: Protocol): ColdProtocol {
  const { rows, minC, maxStepC, startC, precoolC, probes, maxGapMin, source, checkedOn, verified } = protocol
  return {
    ...{ id, market, commodity, pest, probes, maxGapMin, source, checkedOn, verified },
    rows: rows.map(({ maxC, days }) => ({ maxC: fromCenti(maxC), days })),
    ...{ minC: celsius(minC), maxStepC: celsius(maxStepC), startC: celsius(startC), precoolC: celsius(precoolC) },
  }
}

/** All schedules; those that may not be chosen say so. */
export async function protocolChoices(ctx: ViewerTx): Promise<ProtocolChoice[]> {
  const allows = await allowsUnverified(ctx)
  return coldProtocols.map((one) => ({ ...presentProtocol(one), isAllowed: one.verified || allows }))
}

/** The cold treatment of a shipment as a person may see it, or what one needs. Throws NOT_FOUND. */
export async function treatmentOf(ctx: Viewer, id: string): Promise<ShipmentTreatment> {
  const shipment = await findShipment(ctx, id)
  const row = await findTreatment(ctx, id)
  const probes = await probesOf(ctx, id)
  const ids = probes.map((one) => one.id)
  const seen = await seenAmong(ctx, ids, row?.seen_at ?? ctx.clock.now())
  const carriage = await carriageOfShipment(ctx, id)
  const window = await windowOf(ctx, shipment, ctx.clock.now())
  const loadedOn = dayAt(endOf(shipment.origin), window?.from ?? ctx.clock.now())
  const calibrations = await calibrationOf(ctx, ids, loadedOn)
  const hiddenProbes = probes.length - seen.size
  const shown = probes.filter((one) => seen.has(one.id))
  const measured =
    row && hiddenProbes === 0 ? await measuredProbes(ctx, shipment, probes, window, ctx.clock.now()) : null
  return {
    treatment: row
      ? presentTreatment(row, {
          ...{ hiddenProbes, measured, forecast: await forecastFor(ctx, shipment, row) },
          carriage: {
            ...carriage,
            isMixed: isMixed(productsOfRow(shipment)),
            isLoadingNoted: await isLoadingNoted(ctx, id, carriage),
          },
          isOver: (shipment.ended_at ?? shipment.cancelled_at) !== null,
        })
      : null,
    probes: shown.map((one) => {
      const known = calibrations.get(one.id)
      return {
        ...{ id: String(one.id), name: one.name, place: one.place, offsetC: celsius(known?.offset_c ?? null) },
        ...{ certificateNo: known?.certificate_no ?? null, calibratedOn: known?.calibrated_on ?? null },
        dueOn: known?.due_on ?? null,
      }
    }),
    ...{ hiddenProbes, airDevices: await countAir(ctx, id) },
  }
}

interface Shown {
  hiddenProbes: number
  /** Null: the reader does not see all probes. */
  measured: Probe[] | null
  forecast: TreatmentForecast
  carriage: Treatment['carriage']
  isOver: boolean
}

function presentTreatment(row: TreatmentRow, { hiddenProbes, measured, forecast, carriage, isOver }: Shown): Treatment {
  const { protocol, chosen_at, chosen_by_name, verified_gaps, seen_at, version } = row
  const clock = measured ? row.clock : null
  return {
    protocol: presentProtocol(asCarried(protocol, carriage)),
    carriage,
    ...{ chosenAt: chosen_at.toISOString(), chosenByName: chosen_by_name, verifiedGaps: verified_gaps, hiddenProbes },
    clock: clock && isOver ? overClock(clock) : clock,
    isOver,
    seenAt: seen_at?.toISOString() ?? null,
    forecast: measured ? forecast : null,
    hours: measured ? warmestByHour(judgedProbes(asCarried(protocol, carriage).probes, measured)) : [],
    version,
  }
}

/** The clock of a shipment that is over: nothing is to come, and time without readings ended with it. */
const overClock = (clock: KeptClock): KeptClock => ({
  ...{ ...clock, forecastAt: null, breaks: [], silent: [] },
  unproven: clock.unproven.map((one) => ({ ...one, isOpen: false })),
})

function warmestByHour(probes: readonly Probe[]): Treatment['hours'] {
  const byHour = new Map<number, { centi: number; id: number }>()
  for (const { id, offsetC, hours } of probes)
    for (const { hour, warmest } of hours) {
      const centi = warmest - offsetC
      const known = byHour.get(hour)
      if (!known || centi > known.centi) byHour.set(hour, { centi, id })
    }
  return [...byHour]
    .sort(([a], [b]) => a - b)
    .map(([hour, { centi, id }]) => ({
      ...{ at: new Date(hour).toISOString(), celsius: fromCenti(centi), deviceId: String(id) },
    }))
}

/** The end of the treatment against the arrival of the last leg that sails. */
async function forecastFor(
  ctx: ViewerTx,
  shipment: ShipmentRow,
  { clock }: { clock: KeptClock | null },
): Promise<TreatmentForecast> {
  const legs = (await legsOf(ctx, [shipment.id])).filter(({ rolled_at }) => rolled_at === null)
  const last = legs.at(-1)
  const end = shipment.destination as unknown as ShipmentEnd
  const eta = last?.ata ?? last?.eta ?? null
  const ends = clock?.provenAt ?? clock?.forecastAt ?? null
  return {
    eta: eta?.toISOString() ?? null,
    timezone: last?.to_zone ?? end.timezone,
    place: last?.to_name ?? last?.to_port ?? end.name,
    spareMs: eta && ends ? eta.getTime() - Date.parse(ends) : null,
  }
}
