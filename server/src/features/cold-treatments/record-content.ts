import type { ShipmentTreatment, Treatment } from '@isotherm/contract/cold-treatments.ts'
import type { RecordDetails } from '@isotherm/contract/records.ts'
import { namesOfProducts } from '@isotherm/contract/shipment-products.ts'
import type { ShipmentEnd } from '@isotherm/contract/shipments.ts'
import { loadIntervals, loadLimits } from '../../core/devices/rule-rows.ts'
import { productsOfRow } from '../../core/shipments/products.ts'
import { findShipment, legsOf } from '../../core/shipments/shipment-queries.ts'
import { judgedProbes, type Probe } from '../../domain/cold-treatment.ts'
import { fromCenti } from '../../domain/measures.ts'
import { type Rules, rulesOf } from '../../domain/rules.ts'
import { showShipmentNumber } from '../../domain/shipment-number.ts'
import type { Context } from '../../platform/context.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { headOf, type ReportHead } from '../../reporting/report-head.ts'
import { probesOf } from './queries.ts'
import { treatmentOf } from './read-treatment.ts'
import type { RecordRow } from './record-queries.ts'
import { measuredProbes, windowOf } from './work-out.ts'

/** The signed records of shipments, which another feature keeps. The app hands it in. */
export interface SignedRecords {
  seesRecord(ctx: Context, id: string): Promise<boolean>
  record(ctx: Context, id: string): Promise<{ record: RecordDetails }>
}

export interface Carriage {
  mode: string
  from: string
  to: string
  vessel: string | null
  imo: string | null
  voyage: string | null
  containerNo: string | null
  sealNo: string | null
  departure: number | null
  arrival: number | null
}

export interface RecordProbe {
  id: number
  name: string
  place: string
  offsetC: number | null
  certificate: string | null
  calibratedOn: string | null
  dueOn: string | null
  rules: Rules
}

/** Everything that a monitoring record tells but its readings. Plain data: it goes to another process. */
export interface RecordContent extends ReportHead {
  number: string
  /** Their names, with their varieties. */
  products: string
  pallets: number | null
  origin: ShipmentEnd
  destination: ShipmentEnd
  carriage: Carriage[]
  treatment: Treatment
  probes: RecordProbe[]
  /** The warmest corrected reading of each probe in each hour, in the order of the probes; null: none. */
  hourly: { at: number; values: (number | null)[] }[]
  signatures: RecordDetails['signatures']
}

/** Gathers a monitoring record as the treatment stands now; throws NOT_FOUND, also where the person may not see a probe. */
export async function gatherRecord(ctx: Context, signed: SignedRecords, row: RecordRow): Promise<RecordContent> {
  const head = await headOf(ctx, row)
  const id = row.shipment_id
  const shipment = await findShipment(ctx, id)
  const shown = await treatmentOf(ctx, id)
  const { treatment } = shown
  if (!treatment?.clock || shown.hiddenProbes > 0) throw new AppError('NOT_FOUND')
  const rows = await probesOf(ctx, id)
  const now = ctx.clock.now()
  const measured = await measuredProbes(ctx, shipment, rows, await windowOf(ctx, shipment, now), now)
  return {
    ...head,
    ...{ number: showShipmentNumber(shipment.number), products: namesOfProducts(productsOfRow(shipment)) },
    pallets: shipment.pallets,
    origin: shipment.origin as unknown as ShipmentEnd,
    destination: shipment.destination as unknown as ShipmentEnd,
    carriage: (await legsOf(ctx, [id]))
      .filter(({ rolled_at }) => rolled_at === null)
      .map((leg) => ({
        ...{ mode: leg.mode, from: leg.from_name ?? leg.from_port ?? '', to: leg.to_name ?? leg.to_port ?? '' },
        ...{ vessel: leg.vessel_name ?? leg.flight_number, imo: leg.imo, voyage: leg.voyage },
        ...{ containerNo: leg.container_no, sealNo: leg.seal_no },
        ...{ departure: (leg.atd ?? leg.etd)?.getTime() ?? null, arrival: (leg.ata ?? leg.eta)?.getTime() ?? null },
      })),
    treatment,
    probes: await probesWithRules(ctx, shown.probes),
    hourly: hourlyOf(judgedProbes(treatment.protocol.probes, measured)),
    signatures: await signaturesOf(ctx, signed, shipment.record_id),
  }
}

async function probesWithRules(ctx: Context, probes: ShipmentTreatment['probes']): Promise<RecordProbe[]> {
  const all: RecordProbe[] = []
  for (const { id, name, place, offsetC, certificateNo, calibratedOn, dueOn } of probes) {
    const rules = rulesOf(await loadLimits(ctx, Number(id)), await loadIntervals(ctx, Number(id)))
    all.push({ id: Number(id), name, place, offsetC, certificate: certificateNo, calibratedOn, dueOn, rules })
  }
  return all
}

function hourlyOf(probes: readonly Probe[]): RecordContent['hourly'] {
  const byHour = new Map<number, (number | null)[]>()
  for (const [index, { offsetC, hours }] of probes.entries())
    for (const { hour, warmest } of hours) {
      const values = byHour.get(hour) ?? probes.map(() => null)
      values[index] = fromCenti(warmest - offsetC)
      byHour.set(hour, values)
    }
  return [...byHour].sort(([a], [b]) => a - b).map(([at, values]) => ({ at, values }))
}

async function signaturesOf(ctx: Context, signed: SignedRecords, recordId: string | null) {
  if (!recordId || !(await signed.seesRecord(ctx, recordId))) return []
  return (await signed.record(ctx, recordId)).record.signatures
}
