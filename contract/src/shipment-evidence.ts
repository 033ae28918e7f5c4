import { z } from 'zod'
import { file, get } from './call.ts'
import { Id, Instant, openPeriodWith } from './common.ts'
import { Measure } from './device-limits.ts'
import { Side } from './excursions.ts'
import { Carriage, NoticePeriods } from './order-evidence.ts'
import { BudgetState } from './record-budget.ts'
import { MeasuredDevice } from './shipment-calls.ts'
import { MilestoneKind, ShipmentHolderKind } from './shipments.ts'

/** The holder of a shipment's goods; `name`: as far as somebody told it. */
export const ShipmentHolder = z.object({ kind: ShipmentHolderKind, name: z.string().nullable(), legId: Id.nullable() })
export type ShipmentHolder = z.infer<typeof ShipmentHolder>

/** An excursion as far as it lies within the shipment, with the time that each holder had the goods. */
export const HeldShipmentExcursion = z.object({
  deviceId: Id,
  deviceName: z.string(),
  measure: Measure,
  side: Side,
  from: Instant,
  to: Instant,
  peak: z.number().nullable(),
  shares: z.array(z.object({ holder: ShipmentHolder, ms: z.number() })),
})
export type HeldShipmentExcursion = z.infer<typeof HeldShipmentExcursion>

/** From the start of a shipment to its end, or to now. Of the devices that the reader may see. */
export const ShipmentCustody = z.object({
  hiddenDevices: z.number().int(),
  /** One after the other; together they fill the time. */
  stretches: z.array(
    z.object({
      holder: ShipmentHolder,
      from: Instant,
      to: Instant,
      /** The evidence for its beginning. */
      basis: z.enum([...MilestoneKind.options, 'start']),
      devices: z.array(MeasuredDevice),
      /** How long the temperature of at least one device was out of range. */
      outsideMs: z.number(),
    }),
  ),
  /** By holder, the same. */
  totals: z.array(z.object({ holder: ShipmentHolder, heldMs: z.number(), outsideMs: z.number() })),
  excursions: z.array(HeldShipmentExcursion),
})
export type ShipmentCustody = z.infer<typeof ShipmentCustody>

/** The reasons of an outlook: for an unknown one, and the things that it rests on. */
export const outlookReasons = [
  ...(['noBudget', 'noDevices', 'hidden', 'boundsOnly', 'noArrival', 'noReadings', 'tooEarly', 'silent'] as const),
  ...(['spent', 'overdue', 'ownUse', 'recentUse', 'history'] as const),
] as const
export const BudgetOutlook = z.object({
  /** Within: even by the worst of what speaks for it. Beyond: even by the best. */
  state: z.enum(['within', 'atRisk', 'beyond', 'unknown']),
  reasons: z.array(z.enum(outlookReasons)),
  budget: BudgetState.nullable(),
  /** The arrival of the last leg; `trips`: earlier legs between its places that it rests on, 0: the plan alone. */
  arrival: z.object({ earliest: Instant, latest: Instant, timezone: z.string(), trips: z.number().int() }).nullable(),
  /** Up to when devices have told. */
  measuredUntil: Instant.nullable(),
  sides: z.array(
    z.object({
      side: Side,
      limitC: z.number(),
      allowedMs: z.number(),
      leftMs: z.number(),
      /** The time that is likely to be used until the arrival. */
      use: z.object({ lowMs: z.number(), highMs: z.number() }).nullable(),
    }),
  ),
  /** Earlier shipments of the lane with readings. */
  pastShipments: z.number().int(),
})
export type BudgetOutlook = z.infer<typeof BudgetOutlook>

export const laneSubjects = ['lane', 'carrier'] as const
/** The shipments from an origin to a destination, or the legs of a carrier, of those that started in a period. */
export const LaneScorecard = z.object({
  /** Null: legs without a carrier. */
  id: z.string().nullable(),
  name: z.string().nullable(),
  shipments: z.number().int(),
  /** Those with a planned arrival that have arrived. */
  arrived: z.number().int(),
  onTime: z.number().int(),
  /** Percent of those that have arrived; null without any. */
  onTimePct: z.number().nullable(),
  /** The mean of those that were late; null without any. */
  lateDays: z.number().nullable(),
  /** Legs whose container missed the vessel. */
  rolled: z.number().int(),
  /** Time that devices were to measure in, h. */
  hours: z.number(),
  excursions: z.number().int(),
  outMs: z.number(),
  /** Percent of the time of its devices that their temperatures cover; null without devices. */
  coveredPct: z.number().nullable(),
  /** Percent of the covered time out of the limits of temperature: silence is neither in nor out. Null without any. */
  outPct: z.number().nullable(),
  /** Stays at ports whose beginning and end are known, and their mean; null without any. */
  stays: z.number().int(),
  dwellMs: z.number().nullable(),
  /** Cold treatments all of whose probes the reader sees. */
  treatments: z.number().int(),
  proven: z.number().int(),
})
export type LaneScorecard = z.infer<typeof LaneScorecard>

/** The period is of starts; left out: the last 90 days. */
export const LaneScorecardQuery = openPeriodWith({ by: z.enum(laneSubjects).default('lane') })
export type LaneScorecardQuery = z.infer<typeof LaneScorecardQuery>

const view = { needs: 'dispatch.view' } as const

export const shipmentEvidence = {
  custody: get('/export/shipments/:id/custody', {
    ...view,
    summary: 'Who held the goods when, what devices measured meanwhile, and the part of each excursion',
    returns: ShipmentCustody.nullable(),
  }),
  notice: get('/export/shipments/:id/notice-periods', {
    ...view,
    summary: 'Until when a damage is to be told, counted from the delivery; never legal advice',
    query: z.strictObject({ carriage: Carriage.optional() }),
    returns: NoticePeriods,
  }),
  outlook: get('/export/shipments/:id/outlook', {
    ...view,
    summary: 'Whether a shipment under way will arrive within its budget, with the reasons, or that it is not known',
    returns: BudgetOutlook.nullable(),
  }),
  scorecards: get('/export/scorecards', {
    ...view,
    readsMany: true,
    summary: 'Lanes or carriers by punctuality, excursions, stays at ports and proven cold treatments',
    query: LaneScorecardQuery,
    returns: z.array(LaneScorecard),
  }),
  exportScorecards: get('/export/scorecards/export', {
    needs: 'dispatch.export',
    readsMany: true,
    summary: 'lane-scorecards.csv with a line for each lane or carrier',
    query: LaneScorecardQuery,
    returns: file('text/csv'),
  }),
}
