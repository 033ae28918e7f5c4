import type { Excursion } from '../../domain/excursion.ts'
import type { Measure, Point } from '../../domain/measures.ts'
import type { Batch } from '../batch.ts'
import { numbers, readInstant } from '../store/pg-arrays.ts'
import type { DeviceState } from './device-state.ts'

/** Readings of one measure of one device that came late, not far from each other; ms since 1970. */
export interface LateCluster {
  state: DeviceState
  measure: Measure
  first: number
  last: number
  /** The newest reading that has been judged: those after it are not late. */
  tailAt: number
}

export type KnownExcursion = Excursion & { id: string }

/** The surroundings of a cluster: where its replay begins, the readings from there on, the excursions they were in. */
export interface LateWindow {
  /** The reading before the first late one. */
  previousAt: number | null
  /** The start of the excursion it was in. */
  excursionFrom: number | null
  points: Point[]
  known: KnownExcursion[]
}

/** Readings fetched beyond the hour of the last late one; almost always enough. */
const beyond = 40
const chunk = 2_000

const knownColumns = `json_build_object('id', e.id::text, 'side', e.side, 'startAt', ${epoch('e.start_at')},
  'lastAt', ${epoch('e.last_at')}, 'lastDeviation', e.last_deviation_centi, 'lastHoldMs', e.last_hold_ms,
  'readings', e.readings, 'peak', e.peak_centi, 'peakAt', ${epoch('e.peak_at')}, 'centiMs', e.centi_ms,
  'endAt', ${epoch('e.end_at')}, 'endedBy', e.ended_by)`

function epoch(column: string): string {
  return `(extract(epoch from ${column}) * 1000)::float8`
}

// Readings of a device with a value of the measure. What a window needs is near it, or the partitions would all be asked.
const readings = (measure: Measure, more: string) => `
  readings r where r.company_id = w.company_id and r.device_id = w.device_id and r.${measure}_centi is not null ${more}`

// Excursions of a measure do not overlap: the last that began before an instant is the only one that may reach it.
const lastBefore = (measure: Measure, at: string) => `
  select start_at, last_at from excursions where company_id = w.company_id and device_id = w.device_id
  and measure = '${measure}' and start_at <= ${at} order by start_at desc limit 1`

const windowSql = (measure: Measure) => `
select w.place::int4 as place, ${epoch('p.previous_at')} as "previousAt", ${epoch('x.start_at')} as "excursionFrom",
  coalesce(rows.points, '') as points, coalesce(k.known, '[]') as known
from unnest($1::int4[], $2::int4[], $3::timestamptz[], $4::timestamptz[], $5::timestamptz[])
  with ordinality as w (company_id, device_id, first_at, last_at, tail_at, place)
cross join lateral (select coalesce(
  (select max(r.measured_at) from ${readings(measure, `and r.measured_at < w.first_at and r.measured_at >= w.first_at - interval '4 days'`)}),
  (select max(r.measured_at) from ${readings(measure, 'and r.measured_at < w.first_at')})) as previous_at) p
left join lateral (select e.start_at from (${lastBefore(measure, 'p.previous_at')}) e
  where e.last_at >= p.previous_at) x on true
cross join lateral (select least(date_bin('1 hour', coalesce(p.previous_at, w.first_at), 'epoch'), x.start_at) as from_at,
  date_bin('1 hour', w.last_at, 'epoch') + interval '1 hour' as to_at) f
cross join lateral (select string_agg(timestamptz_send(measured_at) || int2send(value), '' order by measured_at) as points,
    max(measured_at) as last_at from (
  (select r.measured_at, r.${measure}_centi as value from ${readings(measure, 'and r.measured_at >= f.from_at and r.measured_at < least(f.to_at, w.tail_at)')})
  union all
  (select r.measured_at, r.${measure}_centi as value from ${readings(measure, 'and r.measured_at >= least(f.to_at, w.tail_at) and r.measured_at <= w.tail_at')}
   order by r.measured_at limit ${beyond})) both_parts) rows
left join lateral (select json_agg(${knownColumns} order by e.start_at) as known from excursions e
  where e.company_id = w.company_id and e.device_id = w.device_id and e.measure = '${measure}'
  and e.start_at <= rows.last_at and e.last_at >= f.from_at
  and e.start_at >= coalesce((select start_at from (${lastBefore(measure, 'f.from_at')}) b), f.from_at)) k on true`
const windowSqls = { temperature: windowSql('temperature'), humidity: windowSql('humidity') }

interface WindowRow {
  place: number
  previousAt: number | null
  excursionFrom: number | null
  points: Buffer
  known: KnownExcursion[]
}

/** The windows of clusters of one measure, in their order. */
export async function readWindows(
  batch: Batch,
  measure: Measure,
  clusters: readonly LateCluster[],
): Promise<LateWindow[]> {
  const { rows } = await batch.client.query<WindowRow>({
    name: `late_${measure}`,
    text: windowSqls[measure],
    values: [
      numbers('int4', clusters, ({ state }) => state.device.companyId),
      numbers('int4', clusters, ({ state }) => state.device.id),
      numbers('timestamptz', clusters, ({ first }) => first),
      numbers('timestamptz', clusters, ({ last }) => last),
      numbers('timestamptz', clusters, ({ tailAt }) => tailAt),
    ],
  })
  const windows = new Array<LateWindow>(clusters.length)
  for (const { place, points, ...row } of rows) windows[place - 1] = { ...row, points: readPoints(points) }
  return windows
}

const moreSql = (measure: Measure) => `
with w (company_id, device_id, after_at, tail_at) as (values ($1::int4, $2::int4, $3::timestamptz, $4::timestamptz)),
found as (select r.measured_at, r.${measure}_centi as value from w,
  ${readings(measure, 'and r.measured_at > w.after_at and r.measured_at <= w.tail_at')} order by r.measured_at limit ${chunk})
select coalesce((select string_agg(timestamptz_send(measured_at) || int2send(value), '' order by measured_at) from found), '') as points,
  coalesce((select json_agg(${knownColumns} order by e.start_at) from excursions e, w where e.company_id = w.company_id
    and e.device_id = w.device_id and e.measure = '${measure}' and e.start_at > w.after_at
    and e.start_at <= (select max(measured_at) from found)), '[]') as known`

/** The readings after an instant up to the tail, some thousands at a time, with the excursions that began among them. */
export async function readMore(
  batch: Batch,
  { state, measure, tailAt }: LateCluster,
  afterAt: number,
): Promise<Pick<LateWindow, 'points' | 'known'>> {
  const { device } = state
  const { rows } = await batch.client.query<WindowRow>({
    name: `late_more_${measure}`,
    text: moreSql(measure),
    values: [device.companyId, device.id, new Date(afterAt).toISOString(), new Date(tailAt).toISOString()],
  })
  return { points: readPoints(rows[0]?.points ?? Buffer.alloc(0)), known: rows[0]?.known ?? [] }
}

const pointBytes = 10

function readPoints(bytes: Buffer): Point[] {
  const points: Point[] = []
  for (let offset = 0; offset < bytes.length; offset += pointBytes)
    points.push({ at: readInstant(bytes, offset), value: bytes.readInt16BE(offset + 8) })
  return points
}
