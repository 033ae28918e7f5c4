import { judgementOf } from '@isotherm/contract/device-limits.ts'
import type { MeasureStats } from '@isotherm/contract/stats.ts'
import { activationKjPerMol, meanKineticC } from '../../domain/kinetic.ts'
import { fromCenti, type Measure, type Point } from '../../domain/measures.ts'
import { type RuleFrom, ruleAt } from '../../domain/rules.ts'
import { isFrozen, isUnlimited, rulesWithin, type Span, type Tally, tallyOf, verdictOf } from '../../domain/stats.ts'
import type { Context } from '../../platform/context.ts'
import { addExcursions, type ExcursionPart, type ExcursionTotals, heldMs, type Series } from './queries.ts'
import { readSeries } from './read-series.ts'
import type { StatsScope } from './stats-scope.ts'

/** The statistics of one measure through a period. */
export async function statsOf(ctx: Context, scope: StatsScope, measure: Measure): Promise<MeasureStats> {
  const { span, deviceId } = scope
  const series = { deviceId, measure }
  const rules = scope.rules[measure]
  const [parts, { count, aboveMs, belowMs, longest, shortest }] = await Promise.all([
    readSeries(ctx, series, span, rules),
    excursionsOf(ctx, series, span),
  ])
  const tally = tallyOf(parts, span)
  const unjudgedMs = await unjudged(ctx, scope, measure, tally)
  const { n, coveredMs } = tally
  const lengthMs = Math.max(0, span.to - span.from)
  return {
    count: n,
    coveragePct: lengthMs > 0 ? (coveredMs / lengthMs) * 100 : null,
    coveredMs,
    longestGap: tally.gap && { from: iso(tally.gap.from), to: iso(tally.gap.to), ms: tally.gap.to - tally.gap.from },
    min: presentPoint(tally.min, rules),
    max: presentPoint(tally.max, rules),
    average: n > 0 ? fromCenti(tally.sum / n) : null,
    mkt: measure === 'temperature' ? meanKinetic(tally, rulesWithin(rules, span)) : null,
    aboveMs,
    belowMs,
    withinMs: coveredMs - aboveMs - belowMs - unjudgedMs,
    unjudgedMs,
    excursions: { count, longest: presentPart(longest), shortest: presentPart(shortest) },
    verdict: verdictOf({ lengthMs, coveredMs, unjudgedMs, readings: n, excursions: count }),
  }
}

const none: ExcursionTotals = { count: 0, aboveMs: 0, belowMs: 0, longest: null, shortest: null }
const excursionsOf = (ctx: Context, series: Series, span: Span) =>
  span.to < span.from ? none : addExcursions(ctx, series, span)

/** Time of readings for which there were no limits. */
async function unjudged(ctx: Context, { deviceId, span, rules }: StatsScope, measure: Measure, tally: Tally) {
  if (tally.coveredMs === 0) return 0
  const stretches = stretchesOf(rules[measure], span)
  if (stretches.every(isUnlimited)) return tally.coveredMs
  let sum = 0
  for (const stretch of stretches)
    if (isUnlimited(stretch)) sum += await heldMs(ctx, { deviceId, measure }, span, stretch)
  return sum
}

/** Each rule with the times at which a reading it judges counts for the span. */
const stretchesOf = (history: readonly RuleFrom[], span: Span) =>
  history.flatMap((rule, index) => {
    const from = Math.max(rule.from, span.from - rule.holdMs)
    const until = Math.min(history[index + 1]?.from ?? Number.POSITIVE_INFINITY, span.to + 1)
    return from < until ? [{ ...rule, from, until }] : []
  })

function meanKinetic(tally: Tally, rules: readonly RuleFrom[]): MeasureStats['mkt'] {
  const valueC = isFrozen(rules) ? null : meanKineticC(tally.spoilSum, tally.coveredMs)
  const reason = valueC !== null ? null : isFrozen(rules) ? 'frozen' : 'noData'
  return { valueC, reason, activationKjPerMol }
}

const iso = (at: number) => new Date(at).toISOString()
function presentPoint(point: Point | null, rules: readonly RuleFrom[]): MeasureStats['min'] {
  if (!point) return null
  const { min, max } = ruleAt(rules, point.at)
  return { value: fromCenti(point.value), at: iso(point.at), judgement: judgementOf(point.value, min, max) }
}
const presentPart = (part: ExcursionPart | null) => part && { ...part, startAt: iso(part.startAt) }
