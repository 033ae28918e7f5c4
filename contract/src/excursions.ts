import { z } from 'zod'
import { get } from './call.ts'
import { Id, Instant, openPeriodWith } from './common.ts'
import { Measure } from './device-limits.ts'
import { Paging, pageOf } from './paging.ts'

export const Side = z.enum(['above', 'below'])
export type Side = z.infer<typeof Side>

/**
 * Consecutive readings outside the limits, whole, though it may reach beyond the period asked for. Values in degrees
 * Celsius or percent. What lies where a lapsed licence hides readings is null, and `isCutOff` says so.
 */
export const Excursion = z.object({
  id: Id,
  deviceId: Id,
  deviceName: z.string(),
  measure: Measure,
  side: Side,
  /** The first reading outside. */
  startAt: Instant,
  /** The first reading back inside, or 3 intervals after the last one outside where silence followed; null while open. */
  endAt: Instant.nullable(),
  /** `gap`: silence ended it; `side`: a reading beyond the other limit. */
  endedBy: z.enum(['inside', 'side', 'gap']).nullable(),
  /** For an open one, so far: until now, and at most 3 intervals after its last reading. */
  durationMs: z.number(),
  /** The limit it broke, as it was when it began. */
  limit: z.number().nullable(),
  /** The value farthest outside, and when it was first reached. */
  peak: z.number().nullable(),
  peakAt: Instant.nullable(),
  /** Distance from the limit times time: degree-minutes, or percent-minutes. */
  degreeMinutes: z.number().nullable(),
  readings: z.number().int().nullable(),
  /** Recorded more than 3 intervals after it began, because its readings came late. */
  isLate: z.boolean(),
  /** When late data last changed it after it had been recorded. */
  amendedAt: Instant.nullable(),
  recordedAt: Instant,
  isCutOff: z.boolean(),
})
export type Excursion = z.infer<typeof Excursion>

const Peak = z.object({ id: Id, value: z.number(), at: Instant })

/** The excursions of one measure that reach into a period; times are the parts within it, peaks those of the whole. */
export const ExcursionFigures = z.object({
  measure: Measure,
  count: z.number().int(),
  open: z.number().int(),
  aboveMs: z.number(),
  belowMs: z.number(),
  longest: z.object({ id: Id, startAt: Instant, ms: z.number() }).nullable(),
  highest: Peak.nullable(),
  lowest: Peak.nullable(),
  late: z.number().int(),
  amended: z.number().int(),
})
export type ExcursionFigures = z.infer<typeof ExcursionFigures>

export const ExcursionSummary = z.object({
  period: z.object({ from: Instant, to: Instant }),
  count: z.number().int(),
  /** Time during which at least one measure was out of its limits. */
  outMs: z.number(),
  temperature: ExcursionFigures,
  humidity: ExcursionFigures,
})
export type ExcursionSummary = z.infer<typeof ExcursionSummary>

const sortable = ['start', 'duration', 'degreeMinutes'] as const
const excursionSorts = sortable.flatMap((name) => [name, `-${name}`] as const)

const filters = {
  page: Paging.shape.page,
  perPage: Paging.shape.perPage,
  sort: z.enum(excursionSorts).default('-start'),
  measure: Measure.optional(),
  side: Side.optional(),
  /** 'true': those that are not over. */
  open: z.enum(['true', 'false']).optional(),
}
const CompanyExcursions = openPeriodWith({ ...filters, search: Paging.shape.search, device: Id.optional() })
const DeviceExcursions = openPeriodWith(filters)
export type ExcursionQuery = z.infer<typeof CompanyExcursions>

/** The default period. */
export const defaultPeriodDays = 30

export const excursions = {
  list: get('/excursions', {
    needs: 'devices.view',
    summary: 'The excursions of the devices the caller may see that reach into a period; default: the last 30 days',
    query: CompanyExcursions,
    returns: pageOf(Excursion),
  }),
  ofDevice: get('/devices/:id/excursion', {
    needs: 'devices.view',
    summary: 'The excursions of one device that reach into a period; default: the last 30 days',
    query: DeviceExcursions,
    returns: pageOf(Excursion),
  }),
  summary: get('/devices/:id/excursion/summary', {
    needs: 'devices.view',
    summary: 'How often, how long and how far one device was out of its limits in a period; default: the last 30 days',
    query: openPeriodWith({}),
    returns: ExcursionSummary,
  }),
}
