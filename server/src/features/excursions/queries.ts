import type { ExcursionQuery } from '@isotherm/contract/excursions.ts'
import { type RawBuilder, sql } from 'kysely'
import { annotationsSql, causeKeySql, causeNameSql, ownAnnotationsSql } from '../../core/devices/annotation-sql.ts'
import { heldUntilSql, isOpenSql, reachesIntoSql, withinSql } from '../../core/devices/excursion-sql.ts'
import { visibleSql } from '../../core/devices/visible-devices.ts'
import { groupDevicesSql } from '../../core/groups/visible-groups.ts'
import { hiddenFromSql } from '../../core/visibility/visibility.ts'
import type { Context, Viewer } from '../../platform/context.ts'
import { allRows, countFilters, orderOf, valuesOf } from '../../platform/db/rows.ts'
import { containing } from '../../platform/db/search.ts'

/** Milliseconds since 1970, both ends included. */
export interface Span {
  from: number
  to: number
}

export interface ExcursionRow {
  id: string
  device_id: number
  device_name: string
  measure: 'temperature' | 'humidity'
  side: 'above' | 'below'
  start_at: Date
  end_at: Date | null
  ended_by: 'inside' | 'side' | 'gap' | null
  duration_ms: number
  limit_centi: number | null
  peak_centi: number
  peak_at: Date
  centi_ms: number
  readings: number
  late: boolean
  last_at: Date
  amended_at: Date | null
  recorded_at: Date
  /** From when on a lapsed licence hides what it tells; null where that is not so. */
  hidden_at: Date | null
  /** Its own first. */
  annotations: AnnotationRow[]
}

/** An annotation of an excursion, named in the reader's language. */
export interface AnnotationRow {
  cause_id: string | null
  cause_key: string | null
  cause_name: string | null
  note: string | null
  owner_id: string | null
  owner_name: string | null
  covers_from: string
  covers_to: string
  changed_at: string
  changed_by_name: string
}

/** A person who looks, in their language. */
export type Reader = Viewer & Pick<Context, 'locale'>

export type ExcursionFilter = Partial<ExcursionQuery> & { deviceId?: number; ids?: readonly string[] }

// Read for the whole period, so only where the question needs it.
const isByOwn = (sort: string | undefined) => /cause|owner/.test(sort ?? '')
const ownSql = (ctx: Reader, span: Span, { cause, owner, sort, deviceId }: ExcursionFilter, isNeeded: boolean) =>
  isNeeded || cause || owner || isByOwn(sort)
    ? sql`left join (${ownAnnotationsSql(
        sql`${causeKeySql} as cause_key, ${causeNameSql(ctx.locale)} as cause_name, n.owner_id::text, o.fullname as owner_name`,
        sql<boolean>`n.company_id = ${ctx.companyId} and ${equals('n.device_id', deviceId)} and ${reachesIntoSql(span)}`,
      )}) own on own.excursion_id = e.id`
    : sql``

const causeIs = (cause: string | undefined) =>
  cause === 'some' || cause === 'none'
    ? sql`(own.cause_key is null) = ${cause === 'none'}::bool`
    : cause === undefined
      ? sql`true`
      : sql`own.cause_key = ${cause}`

/** Excursions that reach into the span, of devices the person may see; those that began where readings are hidden are left out. */
export const found = (ctx: Reader, span: Span, wanted: ExcursionFilter, needsOwn = false) => sql`
  from excursions e join devices d on d.company_id = e.company_id and d.id = e.device_id
  cross join lateral (select coalesce(${hiddenFromSql('d')}, 'infinity') as hidden_at) h
  ${ownSql(ctx, span, wanted, needsOwn)}
  where e.company_id = ${ctx.companyId} and ${visibleSql(ctx)} and ${reachesIntoSql(span)} and e.start_at < h.hidden_at
    and ${equals('e.device_id', wanted.deviceId)} and ${equals('e.measure', wanted.measure)}
    and ${equals('e.side', wanted.side)}
    and ${wanted.open ? sql`${isOpenSql(ctx.clock.now())} = ${wanted.open === 'true'}::bool` : sql`true`}
    and ${wanted.ids ? sql`e.id = any(${wanted.ids}::int8[])` : sql`true`}
    and ${wanted.group ? sql`e.device_id in ${groupDevicesSql(ctx, wanted.group)}` : sql`true`}
    and ${causeIs(wanted.cause)}
    and ${wanted.owner === 'none' ? sql`own.owner_id is null` : equals('own.owner_id', wanted.owner)}
    and ${wanted.search ? sql`d.name ilike ${containing(wanted.search)}` : sql`true`}`

const equals = (column: string, value: string | number | undefined): RawBuilder<unknown> =>
  value === undefined ? sql`true` : sql`${sql.raw(column)} = ${value}`

// Each is a column of what `findExcursions` reads.
const orders: Record<string, RawBuilder<unknown>> = {
  start: sql`start_at`,
  duration: sql`duration_ms`,
  degreeMinutes: sql`centi_ms`,
  device: sql`lower(device_name)`,
  measure: sql`measure`,
  farthest: sql`peak_centi`,
  cause: sql`lower(cause_name)`,
  owner: sql`lower(owner_name)`,
}

/** How many excursions there are, and how many each chip of the list would leave: by one look at all of them. */
export async function excursionCounts(ctx: Reader, span: Span, { measure, side, open, ...wanted }: ExcursionFilter) {
  const isOpen = isOpenSql(ctx.clock.now())
  const rows = sql`(select e.measure, e.side, e.start_at, e.end_at ${found(ctx, span, { ...wanted, sort: undefined })}) as e`
  const filterCounts = await countFilters(ctx.tx, rows, {
    open: { options: { true: isOpen, false: sql`not ${isOpen}` }, chosen: open },
    measure: { options: valuesOf('measure', ['temperature', 'humidity']), chosen: measure },
    side: { options: valuesOf('side', ['above', 'below']), chosen: side },
  })
  // The list is the rows that the chosen chip leaves.
  return { total: filterCounts.open?.[open ?? 'all'] ?? 0, filterCounts }
}

const annotationColumns = (
  ctx: Reader,
) => sql`n.cause_id::text, ${causeKeySql} as cause_key, ${causeNameSql(ctx.locale)} as cause_name, n.note,
  n.owner_id::text, o.fullname as owner_name, lower(n.covers) as covers_from, upper(n.covers) as covers_to, n.changed_at,
  (select fullname from users w where w.company_id = n.company_id and w.id = n.changed_by) as changed_by_name`

/**
 * Distance from the limit times time up to `now`. The row of one that goes on ends with its last reading outside, whose value holds as long as
 * the duration says.
 */
const centiMsSql = (now: Date) => sql<number>`(e.centi_ms + e.last_deviation_centi * extract(epoch from
  least(${heldUntilSql}, greatest(${now}, e.last_at)) - coalesce(e.end_at, e.last_at)) * 1000)::float8`

/** A page of excursions. */
export async function findExcursions(
  ctx: Reader,
  span: Span,
  wanted: ExcursionFilter & Pick<ExcursionQuery, 'page' | 'perPage' | 'sort'>,
): Promise<ExcursionRow[]> {
  const { page, perPage, sort } = wanted
  const order = sql`${orderOf(orders, sort)} ${isByOwn(sort) ? sql`nulls last, start_at desc` : sql``},
    id ${sql.raw(sort.startsWith('-') ? 'desc' : 'asc')}`
  const own = isByOwn(sort) ? sql`own.cause_name, own.owner_name,` : sql``
  return allRows<ExcursionRow>(ctx.tx)`
    select e.*, limits.broken as limit_centi,
      (select coalesce(json_agg(n), '[]') from (${annotationsSql(annotationColumns(ctx))}) n) as annotations
    from (
      select * from (select e.id, e.company_id, e.device_id, d.name as device_name, e.measure, e.side, e.start_at,
        case when not ${isOpenSql(ctx.clock.now())} then e.end_at end as end_at, e.ended_by, ${own}
        (extract(epoch from greatest(interval '0', least(${heldUntilSql}, ${ctx.clock.now()}, h.hidden_at) - e.start_at))
          * 1000)::float8 as duration_ms,
        e.peak_centi, e.peak_at, ${centiMsSql(ctx.clock.now())} as centi_ms, e.readings, e.late, e.amended_at, e.recorded_at, e.last_at,
        case when coalesce(e.end_at, e.last_at) >= h.hidden_at then h.hidden_at end as hidden_at
      ${found(ctx, span, wanted)}) as e
      order by ${order} limit ${perPage} offset ${(page - 1) * perPage}) as e
    left join lateral (select case when e.measure = 'temperature' and e.side = 'above' then temperature_max_centi
        when e.measure = 'temperature' then temperature_min_centi when e.side = 'above' then humidity_max_centi
        else humidity_min_centi end as broken
      from device_limits l where l.company_id = e.company_id and l.device_id = e.device_id and l.valid_from <= e.start_at
      order by l.valid_from desc limit 1) limits on true
    order by ${order}`
}

interface Peak {
  id: string
  value: number
  at: number
}

export interface FiguresRow {
  measure: 'temperature' | 'humidity'
  count: number
  open: number
  aboveMs: number
  belowMs: number
  longest: { id: string; startAt: number; ms: number } | null
  highest: Peak | null
  lowest: Peak | null
  late: number
  amended: number
}

const ms = (column: string) => sql.raw(`(extract(epoch from ${column}) * 1000)::float8`)
const parts = (ctx: Viewer, deviceId: number, span: Span) => sql`
  select e.*, ${withinSql(span)} as ms, greatest(e.start_at, ${new Date(span.from)}) as part_from,
    least(${heldUntilSql}, ${new Date(span.to)}) as part_to
  from excursions e where e.company_id = ${ctx.companyId} and e.device_id = ${deviceId} and ${reachesIntoSql(span)}`

/** Figures of each measure that has excursions in the span. Peaks after `shownUntil` are left out. */
export async function addUp(ctx: Viewer, deviceId: number, span: Span, shownUntil: number): Promise<FiguresRow[]> {
  const peak = (side: string, order: string) => sql`(array_agg(json_build_object('id', id::text, 'value', peak_centi,
    'at', ${ms('peak_at')}) order by ${sql.raw(order)}, start_at) filter (where side = ${side} and ${shown}))[1]`
  const shown = Number.isFinite(shownUntil) ? sql`peak_at <= ${new Date(shownUntil)}` : sql`true`
  return allRows<FiguresRow>(ctx.tx)`
    select measure, count(*)::int as count, (count(*) filter (where ${isOpenSql(ctx.clock.now())}))::int as open,
      coalesce(sum(ms) filter (where side = 'above'), 0) as "aboveMs",
      coalesce(sum(ms) filter (where side = 'below'), 0) as "belowMs",
      (array_agg(json_build_object('id', id::text, 'startAt', ${ms('start_at')}, 'ms', ms) order by ms desc, start_at))[1]
        as longest,
      ${peak('above', 'peak_centi desc')} as highest, ${peak('below', 'peak_centi')} as lowest,
      (count(*) filter (where late))::int as late, (count(*) filter (where amended_at is not null))::int as amended
    from (${parts(ctx, deviceId, span)}) as parts group by measure`
}

/** Time of the span during which at least one measure was out of its limits, ms. */
export async function outMs(ctx: Viewer, deviceId: number, span: Span): Promise<number> {
  const { rows } = await sql<{ out: number }>`
    select coalesce(sum(extract(epoch from upper(stretch) - lower(stretch)) * 1000), 0)::float8 as out
    from (select unnest(range_agg(tstzrange(part_from, part_to))) as stretch
      from (${parts(ctx, deviceId, span)}) as parts where part_to > part_from) as stretches`.execute(ctx.tx)
  return rows[0]?.out ?? 0
}
