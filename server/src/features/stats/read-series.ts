import type { Held } from '../../domain/measures.ts'
import { hourMs } from '../../domain/rollup.ts'
import { type RuleFrom, ruleAt } from '../../domain/rules.ts'
import type { Hours, SeriesParts, Span } from '../../domain/stats.ts'
import type { TenantTx } from '../../platform/context.ts'
import { addHours, findReadings, type HoursRow, lastHour, type ReadingRow, readEdges, type Series } from './queries.ts'

/**
 * The parts of a series that its statistics need: whole hours from the rollups, raw readings at the edges. The last hour
 * with readings is always raw, so that whatever the rollups speak of held until a reading within the span.
 */
export async function readSeries(
  ctx: TenantTx,
  series: Series,
  span: Span,
  rules: readonly RuleFrom[],
): Promise<SeriesParts> {
  const holdMs = Math.max(0, ...rules.map((rule) => rule.holdMs))
  const first = Math.min(Math.ceil(span.from / hourMs) * hourMs, span.to + 1)
  const end = Math.max(Math.floor(span.to / hourMs) * hourMs, first)
  const edges = await readEdges(ctx, series, span, { holdMs, firstHour: first, endHour: end })
  const pick = (rows: readonly ReadingRow[], part: string) =>
    rows.filter((row) => row.part === part).map((row) => heldBy(row, rules))
  const edge = (part: string) => pick(edges, part)
  const [before = null] = edge('before')
  const known: SeriesParts = { before, left: edge('left'), hours: null, right: edge('right') }
  if (first === end) return known
  const rightHour = known.right.length > 0 ? null : await lastHour(ctx, series, { first, end })
  if (known.right.length === 0 && rightHour === null) return known
  const total = await addHours(ctx, series, { first, end: rightHour ?? end })
  const found = await findReadings(ctx, series, total, rightHour)
  return {
    ...known,
    hours: total && hoursOf(total, found),
    right: rightHour === null ? known.right : pick(found, 'right'),
  }
}

const heldBy = ({ at, value }: ReadingRow, rules: readonly RuleFrom[]): Held => ({
  at,
  value,
  holdMs: ruleAt(rules, at).holdMs,
})

/** Where retention has dropped the raw rows, the beginning of the hour stands for the time of its reading. */
function hoursOf(row: HoursRow, found: readonly ReadingRow[]): Hours {
  const at = (part: string, hour: number) => found.find((each) => each.part === part)?.at ?? hour
  const gapFrom = at('gap', row.gapHour)
  return {
    n: row.n,
    sum: row.sum,
    min: { at: at('min', row.minHour), value: row.min },
    max: { at: at('max', row.maxHour), value: row.max },
    coveredMs: row.covered,
    spoilSum: row.spoil,
    gap: { from: gapFrom, to: gapFrom + row.gap },
    firstAt: at('first', row.first),
  }
}
