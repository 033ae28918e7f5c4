import { AlarmRule, alarmLimits } from '@isotherm/contract/alarm-rules.ts'
import { type Span, totalOfDay, totalOfRecord, windowOf } from '../../domain/outside-time.ts'
import type { Context } from '../../platform/context.ts'
import { type CountedRow, countsOf } from './outside-queries.ts'
import { loadAlarm } from './queries.ts'

/** The time that a device of a cumulative alarm was outside so far; instants and durations in ms. */
export interface OutsideSoFarRow {
  device: Pick<CountedRow, 'id' | 'name'>
  condition: string
  totalMs: number
  /** The beginning of the stretch that goes on; null: it is inside, or its last reading does not hold any more. */
  since: number | null
  /** The beginning of the record within which it is counted; null within 24 h. */
  recordFrom: number | null
}

/**
 * Tells how long each device was beyond the limits of an alarm so far, the longest first: in the last 24 h, or within each record that
 * runs. Nothing for an alarm that is not cumulative. Throws NOT_FOUND.
 */
export async function outsideSoFar(ctx: Context, id: string): Promise<OutsideSoFarRow[]> {
  const { rule } = await loadAlarm(ctx, id)
  const parsed = AlarmRule.parse(rule)
  if (parsed.kind !== 'value' || !parsed.cumulative) return []
  const isOfRecords = parsed.cumulative.window === 'record'
  const now = ctx.clock.now().getTime()
  const rows = await countsOf(ctx, id)
  return rows
    .flatMap((row) => totalsOf(row, isOfRecords, now))
    .filter(({ totalMs }) => totalMs > 0)
    .sort((a, b) => b.totalMs - a.totalMs)
    .slice(0, alarmLimits.outsideShown)
}

function totalsOf(row: CountedRow, isOfRecords: boolean, now: number): OutsideSoFarRow[] {
  const { id, name, condition, since, spans, heldUntil } = row
  const goesOn = since !== null && heldUntil >= now
  const shown = { device: { id, name }, condition, since: goesOn ? since : null }
  const until = Math.min(now, heldUntil)
  if (!isOfRecords) {
    const last: Span[] = since === null ? [] : [[since, until]]
    return [{ ...shown, totalMs: totalOfDay([...spans, ...last], null, now), recordFrom: null }]
  }
  return (row.records ?? [])
    .map(windowOf)
    .filter(({ from, to }) => from <= now && to > now)
    .map((record) => ({ ...shown, totalMs: totalOfRecord(spans, since, until, record), recordFrom: record.from }))
}
