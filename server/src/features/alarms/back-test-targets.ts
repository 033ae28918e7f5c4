import type { BackTestQuestion } from '@isotherm/contract/back-test.ts'
import type { RecordWindow } from '../../domain/outside-time.ts'
import { type RuleFrom, ruleAt, rulesOf } from '../../domain/rules.ts'
import type { TenantTx } from '../../platform/context.ts'
import { type DeviceRow, findIntervals, findRecords } from './back-test-queries.ts'

/** A device that a back-test looks at. Instants in ms. */
export interface TestedDevice {
  id: number
  name: string
  /** Readings from then on are hidden: its licence is long over. Infinity without an end. */
  hiddenFrom: number
  /** How long a reading measured at an instant may hold, ms. */
  holdAt(at: number): number
  longestHoldMs: number
  /** Its records, where the rule counts within them. */
  records: readonly RecordWindow[]
}

/** Adds how long their readings hold, and their records where the rule counts within them. */
export async function withHold(
  ctx: TenantTx,
  rows: readonly DeviceRow[],
  rule: BackTestQuestion['rule'],
): Promise<TestedDevice[]> {
  const isOfRecords = rule.kind === 'value' && rule.cumulative?.window === 'record'
  const records = isOfRecords ? await findRecords(ctx, rows) : new Map<number, RecordWindow[]>()
  const byDevice = await findIntervals(
    ctx,
    rows.map(({ id }) => id),
  )
  return rows.map(({ id, name, hidden }) => {
    const rules: readonly RuleFrom[] = rulesOf([], byDevice.get(id) ?? []).temperature
    return {
      id,
      name,
      hiddenFrom: hidden ?? Number.POSITIVE_INFINITY,
      holdAt: (at) => ruleAt(rules, at).holdMs,
      longestHoldMs: Math.max(0, ...rules.map(({ holdMs }) => holdMs)),
      records: records.get(id) ?? [],
    }
  })
}
