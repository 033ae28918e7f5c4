import { z } from 'zod'
import { file, get, patch, post } from './call.ts'
import { Id, Instant, openPeriodWith, paragraph, text } from './common.ts'
import { Measure } from './device-limits.ts'
import { countedPageOf, Paging } from './paging.ts'

export const Side = z.enum(['above', 'below'])
export type Side = z.infer<typeof Side>

/** Offered to every company, in its reader's language; a company renames them, retires them and adds its own. */
export const causeCodes = [
  'doorOpen',
  'loading',
  'defrost',
  'powerCut',
  'equipmentFault',
  'sensorMoved',
  'cleaning',
  'wrongLimits',
] as const
const CauseKey = z.union([z.enum(causeCodes), Id])

/** A cause to choose from, by its code or, of the company's own, its id. */
export const ExcursionCause = z.object({
  key: z.string(),
  name: z.string(),
  /** Not offered any more; past excursions keep it. */
  isRetired: z.boolean(),
})
export type ExcursionCause = z.infer<typeof ExcursionCause>

const named = <T extends z.ZodType>(id: T) => z.object({ id, name: z.string() })

/** Cause, note and owner as people gave them; `from` and `to` are of the excursion as it was then: late readings may have changed it. */
export const ExcursionAnnotation = z.object({
  cause: ExcursionCause.pick({ key: true, name: true }).nullable(),
  note: z.string().nullable(),
  owner: named(Id).nullable(),
  from: Instant,
  to: Instant,
  changedAt: Instant,
  changedBy: z.string(),
})
export type ExcursionAnnotation = z.infer<typeof ExcursionAnnotation>

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
  /** The first is its own; others stood at excursions that late readings joined with it, until somebody saves this one. */
  annotations: z.array(ExcursionAnnotation),
})
export type Excursion = z.infer<typeof Excursion>

/** One of a list, with the alarms it fired and the records it is in, as far as the caller may see them. */
export const ListedExcursion = Excursion.extend({
  triggers: z.array(named(Id).extend({ alarmId: Id })),
  records: z.array(named(Id).extend({ groupId: Id.nullable() })),
})
export type ListedExcursion = z.infer<typeof ListedExcursion>

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

const sortable = ['start', 'duration', 'degreeMinutes', 'device', 'measure', 'farthest', 'cause', 'owner'] as const
const excursionSorts = sortable.flatMap((name) => [name, `-${name}`] as const)

const paging = { page: Paging.shape.page, perPage: Paging.shape.perPage }
const unsorted = {
  measure: Measure.optional(),
  side: Side.optional(),
  /** 'true': those that are not over. */
  open: z.enum(['true', 'false']).optional(),
  /** 'some' and 'none': with and without one. */
  cause: z.union([z.enum(['some', 'none']), CauseKey]).optional(),
  owner: z.union([z.literal('none'), Id]).optional(),
}
const filters = { sort: z.enum(excursionSorts).default('-start'), ...unsorted }
const ofCompany = { search: Paging.shape.search, device: Id.optional(), group: Id.optional() }
const CompanyExcursions = openPeriodWith({ ...paging, ...filters, ...ofCompany })
const ExportedExcursions = openPeriodWith({ ...filters, ...ofCompany })
const TotalledExcursions = openPeriodWith({ ...unsorted, ...ofCompany })
const DeviceExcursions = openPeriodWith({ ...paging, ...filters })
export type ExcursionQuery = z.infer<typeof CompanyExcursions>
export type ExcursionExport = z.infer<typeof ExportedExcursions>

export const excursionLimits = { noteLength: 1000, causeLength: 60, causes: 100, perSave: 200, totals: 100 } as const

const annotated = {
  cause: CauseKey.nullable().optional(),
  note: paragraph(excursionLimits.noteLength).nullable().optional(),
  ownerId: Id.nullable().optional(),
}

/**
 * A field that is left out stays as it is, null empties it. `seen`: what fields had when the change was made; where one that is changed has
 * something else by now, CHANGED_MEANWHILE.
 */
export const Annotate = z.strictObject({
  ids: z.array(Id).min(1).max(excursionLimits.perSave),
  ...annotated,
  seen: z.strictObject(annotated).optional(),
})
export type Annotate = z.infer<typeof Annotate>

export const NewCause = z.strictObject({ name: text(excursionLimits.causeLength) })
export const CauseChange = z.strictObject({ name: NewCause.shape.name.optional(), isRetired: z.boolean().optional() })
export type CauseChange = z.infer<typeof CauseChange>

const Total = z.object({
  count: z.number().int(),
  /** The time outside within the period, added up; two measures that are outside at once both count. */
  outMs: z.number(),
  /** The longest part within the period. */
  longestMs: z.number(),
})

/** The excursions that search and filters leave, added up by device and by cause; the most time outside first. */
export const ExcursionTotals = z.object({
  all: Total,
  /** The first `excursionLimits.totals` of `deviceCount`. */
  devices: z.array(Total.extend({ device: named(Id) })),
  deviceCount: z.number().int(),
  /** `cause` is null for those without one. */
  causes: z.array(Total.extend({ cause: ExcursionCause.pick({ key: true, name: true }).nullable() })),
})
export type ExcursionTotals = z.infer<typeof ExcursionTotals>

/** The default period. */
export const defaultPeriodDays = 30

export const excursions = {
  list: get('/excursions', {
    needs: 'devices.view',
    readsMany: true,
    summary: 'The excursions of the devices the caller may see that reach into a period; default: the last 30 days',
    query: CompanyExcursions,
    returns: countedPageOf(ListedExcursion),
  }),
  exportCsv: get('/excursions/export', {
    needs: 'devices.export',
    readsMany: true,
    summary: 'excursions.csv of what the search and the filters leave',
    query: ExportedExcursions,
    returns: file('text/csv'),
  }),
  totals: get('/excursions/totals', {
    needs: 'devices.view',
    readsMany: true,
    summary: 'The excursions that search and filters leave, added up by device and by cause',
    query: TotalledExcursions,
    returns: ExcursionTotals,
  }),
  totalsCsv: get('/excursions/totals/export', {
    needs: 'devices.export',
    readsMany: true,
    summary: 'excursion-totals.csv of what the search and the filters leave, by device and by cause',
    query: TotalledExcursions,
    returns: file('text/csv'),
  }),
  annotate: patch('/excursions', {
    needs: 'devices.addOrEdit',
    summary: 'Sets cause, note and owner of one excursion or of several',
    auditOptional: true,
    body: Annotate,
    returns: z.object({ changed: z.number().int() }),
  }),
  causes: get('/excursions/causes', {
    needs: 'devices.view',
    summary: 'The causes that excursions may have, those that are offered first',
    returns: z.array(ExcursionCause),
  }),
  addCause: post('/excursions/causes', {
    needs: 'admin',
    summary: 'Adds a cause of the company',
    body: NewCause,
    returns: ExcursionCause,
  }),
  changeCause: patch('/excursions/causes/:cause', {
    needs: 'admin',
    summary: 'Renames a cause, or says whether it is offered',
    auditOptional: true,
    body: CauseChange,
    returns: ExcursionCause,
  }),
  ofDevice: get('/devices/:id/excursion', {
    needs: 'devices.view',
    readsMany: true,
    summary: 'The excursions of one device that reach into a period; default: the last 30 days',
    query: DeviceExcursions,
    returns: countedPageOf(ListedExcursion),
  }),
  summary: get('/devices/:id/excursion/summary', {
    needs: 'devices.view',
    readsMany: true,
    summary: 'How often, how long and how far one device was out of its limits in a period; default: the last 30 days',
    query: openPeriodWith({}),
    returns: ExcursionSummary,
  }),
}
