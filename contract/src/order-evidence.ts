import { z } from 'zod'
import { file, get, post } from './call.ts'
import { Id, Instant, Locale, openPeriodWith } from './common.ts'
import { Measure } from './device-limits.ts'
import { IssuedReport, reportChoice } from './device-reports.ts'
import { Side } from './excursions.ts'
import { DeviceRole, eventSources } from './orders.ts'
import { Paging, pageOf } from './paging.ts'

/** The holder of goods; nobody: a vehicle that has nothing aboard. */
export const holders = ['sender', 'carrier', 'receiver', 'nobody'] as const
export const HolderKind = z.enum(holders)
export type HolderKind = z.infer<typeof HolderKind>
export const Holder = z.object({
  kind: HolderKind,
  receiverId: Id.nullable(),
  /** The name of the sender, of driver and vehicle, or of the receiver; null where nobody knows. */
  name: z.string().nullable(),
})
export type Holder = z.infer<typeof Holder>

const HeldOutside = z.object({ holder: Holder, ms: z.number() })

/** An excursion of the order's goods, as far as it lies within the order, with the time that each holder had the goods. */
export const HeldExcursion = z.object({
  deviceId: Id,
  measure: Measure,
  side: Side,
  from: Instant,
  to: Instant,
  peak: z.number().nullable(),
  shares: z.array(HeldOutside),
})
export type HeldExcursion = z.infer<typeof HeldExcursion>

/** From the start of an order to its end, or to now. Of the devices that the reader may see. */
export const OrderCustody = z.object({
  from: Instant,
  to: Instant,
  hiddenDevices: z.number().int(),
  devices: z.array(
    z.object({
      id: Id,
      name: z.string(),
      role: DeviceRole,
      /** One after the other; together they fill the time. */
      stretches: z.array(
        z.object({
          holder: Holder,
          from: Instant,
          to: Instant,
          /** The evidence for its beginning. */
          basis: z.enum(['start', 'departure', 'handOver']),
          outMs: z.number(),
        }),
      ),
    }),
  ),
  excursions: z.array(HeldExcursion),
  /** By holder, how long at least one device was outside its limits. */
  totals: z.array(HeldOutside),
})
export type OrderCustody = z.infer<typeof OrderCustody>

/** A stay at a stop. */
export const Dwell = z.object({
  /** Null: the pick-up. */
  receiverId: Id.nullable(),
  name: z.string(),
  timezone: z.string(),
  in: Instant,
  /** Null: it is still there. */
  out: Instant.nullable(),
  /** The source that tells of it: a fix within the place, or a person. */
  inBy: z.enum(eventSources),
  outBy: z.enum(eventSources).nullable(),
  /** The radius of the fix nearest to the arrival, m; null: no fix, or one that does not know. */
  accuracyM: z.number().nullable(),
  waitedMs: z.number(),
  /** Beyond the free time. */
  beyondMs: z.number(),
  /** How often it became light in the hold; null: no device measured light. */
  doorsOpened: z.number().int().nullable(),
})
export type Dwell = z.infer<typeof Dwell>

export const OrderDwell = z.object({ freeMinutes: z.number().int(), stays: z.array(Dwell), beyondMs: z.number() })
export type OrderDwell = z.infer<typeof OrderDwell>

/** The law of a carriage: by the road, the railway, the air or the sea, or as the company has agreed with its carrier. */
export const carriages = ['cmr', 'cim', 'montreal', 'hagueVisby', 'hamburg', 'own'] as const
export const Carriage = z.enum(carriages)
export type Carriage = z.infer<typeof Carriage>

/** The notice periods that run since the hand-overs, of a shipment since its delivery; never legal advice. */
export const NoticePeriods = z.object({
  carriage: Carriage,
  source: z.string().nullable(),
  noticeDays: z.number().int(),
  skipsSundays: z.boolean(),
  stops: z.array(
    z.object({
      /** Null: the consignee of a shipment. */
      receiverId: Id.nullable(),
      name: z.string(),
      timezone: z.string(),
      handedOverAt: Instant,
      until: Instant,
    }),
  ),
})
export type NoticePeriods = z.infer<typeof NoticePeriods>

/** A claim pack: the letter and its evidence as a PDF, or that and all data as a ZIP. */
export const claimFormats = ['pdf', 'zip'] as const
export const ClaimPack = IssuedReport.omit({ contents: true }).extend({
  orderId: Id,
  trackingCode: z.string(),
  format: z.enum(claimFormats),
  locale: Locale,
  carriage: Carriage,
})
export type ClaimPack = z.infer<typeof ClaimPack>

export const NewClaim = z.strictObject({
  format: z.enum(claimFormats).default('zip'),
  /** The language of the letter; left out: the caller's. */
  locale: Locale.optional(),
  /** Left out: as the company's dispatch settings say. */
  carriage: Carriage.optional(),
  recipients: reportChoice.recipients,
})
export type NewClaim = z.infer<typeof NewClaim>

export const scorecardSubjects = ['driver', 'vehicle', 'lane'] as const
export const Scorecard = z.object({
  /** Null: orders without one. Of a lane: from and to. */
  id: z.string().nullable(),
  name: z.string().nullable(),
  orders: z.number().int(),
  /** Time that devices were to measure in, h. */
  hours: z.number(),
  excursions: z.number().int(),
  /** In a thousand hours; null without hours. */
  excursionRate: z.number().nullable(),
  outMs: z.number(),
  /** Whole hours' time without a reading that held. */
  silentMs: z.number(),
  stops: z.number().int(),
  late: z.number().int(),
  /** Percent of stops; null without any. */
  latePct: z.number().nullable(),
  /** Mean stay at a stop; null where none is known. */
  dwellMs: z.number().nullable(),
})
export type Scorecard = z.infer<typeof Scorecard>

const scorecards = {
  by: z.enum(scorecardSubjects),
  /** One driver or one vehicle. */
  id: Id.optional(),
}
/** The period is of starts; left out: the last 90 days. */
export const ScorecardQuery = openPeriodWith(scorecards)
export type ScorecardQuery = z.infer<typeof ScorecardQuery>

const view = { needs: 'dispatch.view' } as const

export const orderEvidence = {
  custody: get('/dispatch/orders/:id/custody', {
    ...view,
    summary: 'Who held the goods for every minute out of range',
    returns: OrderCustody.nullable(),
  }),
  dwell: get('/dispatch/orders/:id/dwell', {
    ...view,
    summary: 'How long the order waited at its stops, and how much of it beyond the free time',
    returns: OrderDwell,
  }),
  notice: get('/dispatch/orders/:id/notice-periods', {
    ...view,
    summary: 'Until when a damage is to be told, counted from each hand-over; never legal advice',
    query: z.strictObject({ carriage: Carriage.optional() }),
    returns: NoticePeriods,
  }),
  claim: post('/dispatch/orders/:id/claim', {
    needs: 'dispatch.export',
    summary:
      'Builds a claim pack: letter, timeline, custody, conditions, signatures and hashes, as a PDF or with all data as a ZIP',
    body: NewClaim,
    returns: ClaimPack,
  }),
  claims: get('/dispatch/orders/:id/claims', {
    ...view,
    summary: 'The claim packs of an order, newest first',
    query: z.strictObject({ page: Paging.shape.page, perPage: Paging.shape.perPage }),
    returns: pageOf(ClaimPack),
  }),
  claimFile: get('/dispatch/claims/:id/file', {
    needs: 'dispatch.export',
    summary: 'The file of a claim pack, once it is ready',
    returns: file('application/octet-stream'),
  }),
  scorecards: get('/dispatch/scorecards', {
    ...view,
    readsMany: true,
    summary: 'Drivers, vehicles or lanes by excursions, silence, waiting and lateness',
    query: ScorecardQuery,
    returns: z.array(Scorecard),
  }),
  exportScorecards: get('/dispatch/scorecards/export', {
    needs: 'dispatch.export',
    readsMany: true,
    summary: 'scorecards.csv with a line for each, as an insurer reads it',
    query: ScorecardQuery,
    returns: file('text/csv'),
  }),
}
