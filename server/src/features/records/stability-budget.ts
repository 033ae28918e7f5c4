import { Budget, type BudgetState } from '@isotherm/contract/record-budget.ts'
import { loadIntervalsOf } from '../../core/devices/rule-rows.ts'
import type { RecordRow } from '../../core/records/record-queries.ts'
import { type Beyond, budgetLeft, type Threshold, thresholdsOf } from '../../domain/budget.ts'
import { ruleAt, rulesOf } from '../../domain/rules.ts'
import type { TenantTx } from '../../platform/context.ts'
import { type DeviceWindow, devicesOfLot, readingsBeyond, recordById } from './budget-queries.ts'
import { spanUpTo, windowOf } from './record-window.ts'

type Rules = ReturnType<typeof rulesOf>['temperature']

/** By device, how long its readings hold. */
async function rulesByDevice(ctx: TenantTx, windows: readonly DeviceWindow[]): Promise<Map<number, Rules>> {
  const intervals = await loadIntervalsOf(ctx, [...new Set(windows.map(({ deviceId }) => deviceId))])
  return new Map([...intervals].map(([id, history]) => [id, rulesOf([], history).temperature]))
}

/** When devices measured beyond a threshold within their windows: a reading holds until the next one, at most 3 intervals, as everywhere. */
async function beyond(
  ctx: TenantTx,
  windows: readonly DeviceWindow[],
  rules: ReadonlyMap<number, Rules>,
  threshold: Threshold,
): Promise<Beyond[]> {
  const holdMs = Math.max(0, ...[...rules.values()].flatMap((history) => history.map((rule) => rule.holdMs)))
  const rows = await readingsBeyond(ctx, windows, holdMs, threshold)
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

/** The windows of the record, and of earlier ones of its lot, as far as they lie before its end. */
async function windowsOf(ctx: TenantTx, record: RecordRow, until: number) {
  const rows = await devicesOfLot(ctx, record)
  const windows = rows.map((row) => ({ deviceId: row.device_id, ...spanUpTo(row, until) }))
  const earlier = [...new Set(rows.filter(({ id }) => id !== record.id).map(({ id }) => id))]
  const deviceIds = [...new Set(rows.map((row) => row.device_id))]
  return { windows: windows.filter(({ from, to }) => to > from), earlier, deviceIds }
}

interface Spent {
  state: BudgetState
  /** The devices and the ids of the earlier records whose measurements it tells of. */
  deviceIds: number[]
  earlier: string[]
}

/** The rest of a record's budget at an instant, or at its end where that is sooner, for any viewer. Null without one. */
export async function budgetAt(ctx: TenantTx, recordId: string, at: Date): Promise<BudgetState | null> {
  const record = await recordById(ctx, recordId)
  return record ? ((await spentOf(ctx, record, at))?.state ?? null) : null
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
  const state = { ...budgetLeft(budget, found, own), earlierRecords: earlier.length }
  return { state, deviceIds, earlier }
}
