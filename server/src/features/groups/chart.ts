import type { Measure } from '@isotherm/contract/device-limits.ts'
import { type GroupChart, groupLimits } from '@isotherm/contract/groups.ts'
import { sql } from 'kysely'
import { fromCenti } from '../../domain/measures.ts'
import { hourMs } from '../../domain/rollup.ts'
import type { GroupRow } from '../../platform/groups/visible-groups.ts'
import { memberDevicesSql } from '../../platform/groups/visible-groups.ts'
import type { Context } from '../../platform/http/context.ts'
import { limitsOfGroup } from './present.ts'

interface Asked {
  from: string
  to: string
  measure: Measure
  points: number
}
interface Member {
  id: number
  name: string
  interval_s: number
  /** Ms since 1970 from which a lapsed licence hides readings; null: nothing is hidden. */
  hidden: number | null
}
interface Row {
  id: number
  b: number
  min: number
  max: number
  sum: number
  n: number
}

// More readings than these take longer than people wait: then the hours' rollups answer.
const mostRaw = 60_000
const widthsS = [60, 120, 180, 300, 600, 900, 1800, 3600]

/** Every device's averages by bucket, or beyond 200 devices only the band of all; raw readings for short periods, else rollups. */
export async function drawGroup(ctx: Context, group: GroupRow, asked: Asked): Promise<GroupChart> {
  const { measure } = asked
  const members = await loadMembers(ctx, group.id)
  const from = Date.parse(asked.from)
  const to = Math.min(Date.parse(asked.to), ctx.clock.now().getTime())
  const expected = members.reduce((sum, { interval_s }) => sum + Math.max(0, to - from) / 1000 / interval_s, 0)
  // In a bucket narrower than most devices measure at, the mean would be of some one time and of others the next.
  const atLeast = Math.max((to - from) / 1000 / asked.points, usualInterval(members))
  const isRaw = expected <= mostRaw && atLeast <= 3600
  const bucketS = isRaw
    ? (widthsS.find((width) => width >= atLeast) ?? 3600)
    : Math.max(1, Math.ceil(atLeast / 3600)) * 3600
  const rows =
    members.length === 0 || to < from ? [] : await (isRaw ? readRaw : readHours)(ctx, members, asked, to, bucketS)
  return {
    measure,
    bucketS,
    devices: members.length,
    limits: limitsFor(group, measure),
    ...columnsOf(members, rows, bucketS),
  }
}

const usualInterval = (members: readonly Member[]) =>
  members.map(({ interval_s }) => interval_s).sort((a, b) => a - b)[Math.floor(members.length / 2)] ?? 0

async function loadMembers(ctx: Context, groupId: string): Promise<Member[]> {
  const { rows } = await sql<Member>`
    select d.id, d.name, d.interval_s,
      (extract(epoch from d.licence_until + interval '30 days') * 1000)::float8 as hidden
    from ${memberDevicesSql(ctx, groupId)} order by lower(d.name), d.id`.execute(ctx.tx)
  return rows
}

const binned = (column: string, bucketS: number) =>
  sql`(extract(epoch from date_bin(${`${bucketS} s`}::interval, ${sql.raw(column)}, 'epoch')) * 1000)::float8`

async function readRaw(ctx: Context, members: Member[], { from, measure }: Asked, to: number, bucketS: number) {
  const value = sql.raw(`${measure}_centi`)
  const { rows } = await sql<Row>`
    select device_id as id, ${binned('measured_at', bucketS)} as b, min(${value}) as min, max(${value}) as max,
      sum(${value})::float8 as sum, count(*)::int as n
    from readings where company_id = ${ctx.companyId} and device_id = any(${members.map(({ id }) => id)}::int4[])
      and measured_at >= ${new Date(from)} and measured_at <= ${new Date(to)} and ${value} is not null
    group by 1, 2`.execute(ctx.tx)
  return rows
}

/** Whole hours: those of the period's edges too, so that a line reaches the edge. */
async function readHours(ctx: Context, members: Member[], { from, measure }: Asked, to: number, bucketS: number) {
  const column = (name: string) => sql.raw(`${measure}_${name}`)
  const first = new Date(Math.floor(Date.parse(from) / hourMs) * hourMs)
  const { rows } = await sql<Row>`
    select device_id as id, ${binned('bucket', bucketS)} as b, min(${column('min_centi')}) as min,
      max(${column('max_centi')}) as max, sum(${column('sum_centi')})::float8 as sum, sum(${column('n')})::int as n
    from readings_hourly where company_id = ${ctx.companyId} and device_id = any(${members.map(({ id }) => id)}::int4[])
      and bucket >= ${first} and bucket <= ${new Date(to)} and ${column('n')} > 0
    group by 1, 2`.execute(ctx.tx)
  return rows
}

const limitsFor = (group: GroupRow, measure: Measure): GroupChart['limits'] => {
  const limits = limitsOfGroup(group)
  return measure === 'temperature'
    ? { min: limits?.temperatureMinC ?? null, max: limits?.temperatureMaxC ?? null }
    : { min: limits?.humidityMinPct ?? null, max: limits?.humidityMaxPct ?? null }
}

function columnsOf(members: readonly Member[], rows: readonly Row[], bucketS: number) {
  const hidden = new Map(members.map((member) => [member.id, member.hidden ?? Number.POSITIVE_INFINITY]))
  const shown = rows.filter((row) => row.b < (hidden.get(row.id) ?? 0))
  const starts = [...new Set(shown.map(({ b }) => b))].sort((a, b) => a - b)
  const place = new Map(starts.map((start, at) => [start, at]))
  const empty = () => new Array<number | null>(starts.length).fill(null)
  const band = { min: empty(), mean: empty(), max: empty() }
  const sums = starts.map(() => ({ sum: 0, n: 0 }))
  const lines = new Map(
    members.length > groupLimits.lines
      ? []
      : members.map(({ id, name, interval_s }) => [
          id,
          { deviceId: String(id), name, intervalS: interval_s, values: empty() },
        ]),
  )
  for (const row of shown) {
    const at = place.get(row.b) ?? 0
    const total = sums[at]
    if (total) {
      total.sum += row.sum
      total.n += row.n
    }
    band.min[at] = Math.min(band.min[at] ?? Number.POSITIVE_INFINITY, fromCenti(row.min))
    band.max[at] = Math.max(band.max[at] ?? Number.NEGATIVE_INFINITY, fromCenti(row.max))
    const line = lines.get(row.id)
    if (line) line.values[at] = Math.round(row.sum / row.n) / 100
  }
  for (const [at, { sum, n }] of sums.entries()) band.mean[at] = n > 0 ? Math.round(sum / n) / 100 : null
  return { atMs: starts.map((start) => start + bucketS * 500), lines: [...lines.values()], band }
}
