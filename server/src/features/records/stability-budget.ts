import { Budget, type BudgetState } from '@isotherm/contract/record-budget.ts'
import { sql } from 'kysely'
import {
  type Beyond,
  exhaustedAt,
  joined,
  lengthMs,
  type Threshold,
  thresholdsOf,
  within,
} from '../../domain/budget.ts'
import { fromCenti } from '../../domain/measures.ts'
import { ruleAt, rulesOf } from '../../domain/rules.ts'
import { loadIntervalsOf } from '../../platform/devices/rule-rows.ts'
import type { TenantTx } from '../../platform/http/context.ts'
import { type RecordRow, windowOf } from './record-visibility.ts'

interface Window {
  deviceId: number
  from: number
  to: number
}
interface BeyondRow {
  /** Which of the windows. */
  place: number
  at: number
  value: number
  /** The next reading of the device; null: there is none yet. */
  next: number | null
}
type Rules = ReturnType<typeof rulesOf>['temperature']

/** By device, how long its readings hold. */
async function rulesByDevice(ctx: TenantTx, windows: readonly Window[]): Promise<Map<number, Rules>> {
  const intervals = await loadIntervalsOf(ctx, [...new Set(windows.map(({ deviceId }) => deviceId))])
  return new Map([...intervals].map(([id, history]) => [id, rulesOf([], history).temperature]))
}

/**
 * When devices measured beyond a threshold within their windows: a reading holds until the next one, at most 3 intervals, as
 * everywhere. Hours whose rollup does not go beyond it are not read: the cost is that of the time spent, not of the windows.
 */
async function beyond(
  ctx: TenantTx,
  windows: readonly Window[],
  rules: ReadonlyMap<number, Rules>,
  { side, centi }: Threshold,
): Promise<Beyond[]> {
  const holdMs = Math.max(0, ...[...rules.values()].flatMap((history) => history.map((rule) => rule.holdMs)))
  const [extreme, sign] = side === 'above' ? [sql.raw('max'), sql.raw('>')] : [sql.raw('min'), sql.raw('<')]
  const { rows } = await sql<BeyondRow>`
    select w.place::int4, (extract(epoch from r.measured_at) * 1000)::float8 as at, r.temperature_centi as value,
      (select (extract(epoch from n.measured_at) * 1000)::float8 from readings n
        where n.company_id = r.company_id and n.device_id = r.device_id and n.measured_at > r.measured_at
          and n.temperature_centi is not null order by n.measured_at limit 1) as next
    from unnest(${windows.map(({ deviceId }) => deviceId)}::int4[],
        ${windows.map(({ from }) => new Date(from - holdMs - 3_600_000))}::timestamptz[],
        ${windows.map(({ to }) => new Date(to))}::timestamptz[]) with ordinality as w (device_id, since, until, place)
      join readings_hourly h on h.company_id = ${ctx.companyId} and h.device_id = w.device_id
        and h.bucket > w.since and h.bucket <= w.until and h.temperature_${extreme}_centi ${sign} ${centi}
      join readings r on r.company_id = h.company_id and r.device_id = h.device_id
        and r.measured_at >= h.bucket and r.measured_at < h.bucket + interval '1 hour' and r.temperature_centi ${sign} ${centi}
    order by w.place, r.measured_at`.execute(ctx.tx)
  return rows.flatMap(({ place, at, value, next }) => {
    const window = windows[place - 1]
    if (!window) return []
    const { deviceId, from, to } = window
    const until = Math.min(next ?? Number.POSITIVE_INFINITY, at + ruleAt(rules.get(deviceId) ?? [], at).holdMs, to)
    const start = Math.max(at, from)
    // A reading at the very end has not held yet, but it was there.
    return until > start || (at >= from && at <= to && until === start) ? [{ from: start, to: until, value }] : []
  })
}

interface LotRow {
  id: string
  start_at: Date
  end_at: Date | null
  device_id: number
}

/** The windows of the record, and of earlier ones of its lot, as far as they lie before its end. */
async function windowsOf(ctx: TenantTx, record: RecordRow, until: number) {
  const { rows } = await sql<LotRow>`
    select r.id, r.start_at, r.end_at, m.device_id
    from records r join record_devices m on m.company_id = r.company_id and m.record_id = r.id
    where r.company_id = ${ctx.companyId} and r.archived_at is null and r.state <> 'planned'
      and (r.id = ${record.id}::int8 or (${record.lot}::text is not null and lower(r.lot) = lower(${record.lot}::text)
        and (r.start_at, r.id) < (${record.start_at}, ${record.id}::int8)))`.execute(ctx.tx)
  const windows = rows.map((row) => ({ deviceId: row.device_id, ...windowOf(row, new Date(until)) }))
  const earlier = [...new Set(rows.filter(({ id }) => id !== record.id).map(({ id }) => id))]
  const deviceIds = [...new Set(rows.map((row) => row.device_id))]
  return { windows: windows.filter(({ from, to }) => to > from), earlier, deviceIds }
}

const iso = (at: number | null) => (at === null ? null : new Date(at).toISOString())

interface Spent {
  state: BudgetState
  /** The devices and the ids of the earlier records whose measurements it tells of. */
  deviceIds: number[]
  earlier: string[]
}

/** The rest of a record's budget at its end, or now, for any viewer. Null without one. */
export async function spentOf(ctx: TenantTx, record: RecordRow, now: Date): Promise<Spent | null> {
  if (record.budget === null) return null
  const budget = Budget.parse(record.budget)
  const own = windowOf(record, now)
  const { windows, earlier, deviceIds } = await windowsOf(ctx, record, own.to)
  const rules = await rulesByDevice(ctx, windows)
  const found = new Map<Threshold['name'], Beyond[]>()
  for (const threshold of thresholdsOf(budget)) found.set(threshold.name, await beyond(ctx, windows, rules, threshold))
  const allowance = (name: 'above' | 'below', limitC: number | null, minutes: number | null) => {
    const stretches = found.get(name)
    if (!stretches || limitC === null || minutes === null) return null
    const allowedMs = minutes * 60_000
    const usedMs = lengthMs(stretches)
    return {
      limitC,
      allowedMs,
      usedMs,
      usedHereMs: lengthMs(within(joined(stretches), own)),
      leftMs: Math.max(0, allowedMs - usedMs),
      exhaustedAt: iso(exhaustedAt(stretches, allowedMs)),
    }
  }
  const bound = (name: 'neverAbove' | 'neverBelow', limitC: number | null) => {
    const stretches = found.get(name)
    if (!stretches || limitC === null) return null
    const values = stretches.map(({ value }) => value)
    const worst = values.length === 0 ? null : name === 'neverAbove' ? Math.max(...values) : Math.min(...values)
    const first = values.length === 0 ? null : Math.min(...stretches.map(({ from }) => from))
    return { limitC, brokenAt: iso(first), worstC: worst === null ? null : fromCenti(worst) }
  }
  const limits = {
    above: allowance('above', budget.aboveC, budget.aboveMinutes),
    below: allowance('below', budget.belowC, budget.belowMinutes),
    neverAbove: bound('neverAbove', budget.neverAboveC),
    neverBelow: bound('neverBelow', budget.neverBelowC),
  }
  const isSpent =
    limits.above?.exhaustedAt || limits.below?.exhaustedAt || limits.neverAbove?.brokenAt || limits.neverBelow?.brokenAt
  const isLow = [limits.above, limits.below].some((one) => one && one.leftMs < one.allowedMs / 4)
  const state = isSpent ? 'spent' : isLow ? 'low' : 'ok'
  const asOf = new Date(own.to).toISOString()
  return { state: { state, asOf, earlierRecords: earlier.length, ...limits }, deviceIds, earlier }
}
