import type { Scorecard, ScorecardQuery } from '@isotherm/contract/order-evidence.ts'
import { percentOf, rounded, scorecardPeriod } from '../../domain/scorecards.ts'
import type { Context } from '../../platform/context.ts'
import { listCsv } from '../../platform/http/list-csv.ts'
import { type ScorecardRow, scorecardRows } from './scorecard-queries.ts'

const hourMs = 3_600_000

function present({ id, name, orders, stops, late, ...row }: ScorecardRow): Scorecard {
  const hours = row.device_ms / hourMs
  return {
    ...{ id, name, orders, hours: rounded(hours, 2), excursions: row.excursions },
    excursionRate: hours > 0 ? rounded((row.excursions / hours) * 1_000, 2) : null,
    ...{ outMs: row.out_ms, silentMs: row.silent_ms, stops, late },
    latePct: percentOf(late, stops),
    dwellMs: row.dwell_ms,
  }
}

export const scorecardsOf = async (ctx: Context, query: ScorecardQuery): Promise<Scorecard[]> =>
  (await scorecardRows(ctx, query, scorecardPeriod(query, ctx.clock.now()))).map(present)

const columns = [
  ...['name', 'orders', 'device hours', 'excursions', 'excursions per 1000 h', 'minutes out', 'silent minutes'],
  ...['stops', 'late stops', 'late percent', 'mean dwell minutes'],
]
const minutes = (ms: number | null) => (ms === null ? null : rounded(ms / 60_000, 1))

/** scorecards.csv, for an insurer. */
export async function scorecardsCsv(ctx: Context, query: ScorecardQuery) {
  const cards = await scorecardsOf(ctx, query)
  const { from, to } = scorecardPeriod(query, ctx.clock.now())
  ctx.audit({
    action: 'claims.scorecardsExported',
    after: { by: query.by, from: from.toISOString(), to: to.toISOString(), count: cards.length },
  })
  return listCsv(
    'scorecards.csv',
    columns,
    cards.map((card) => [
      ...[card.name, card.orders, card.hours, card.excursions, card.excursionRate, minutes(card.outMs)],
      ...[minutes(card.silentMs), card.stops, card.late, card.latePct, minutes(card.dwellMs)],
    ]),
  )
}
