import type { LaneScorecard, LaneScorecardQuery } from '@isotherm/contract/shipment-evidence.ts'
import { shownCoverage } from '@isotherm/contract/shown-figures.ts'
import { percentOf, rounded, scorecardPeriod } from '../../domain/scorecards.ts'
import type { Context } from '../../platform/context.ts'
import { listCsv } from '../../platform/http/list-csv.ts'
import { type LaneScorecardRow, laneScorecardRows } from './scorecard-queries.ts'

const hourMs = 3_600_000

const present = ({
  id,
  name,
  shipments,
  arrived,
  rolled,
  stays,
  treatments,
  proven,
  ...row
}: LaneScorecardRow): LaneScorecard => ({
  ...{ id, name, shipments, arrived, onTime: row.on_time, onTimePct: percentOf(row.on_time, arrived) },
  ...{ lateDays: row.late_days === null ? null : rounded(row.late_days, 1), rolled },
  ...{ hours: rounded(row.device_ms / hourMs, 1), excursions: row.excursions, outMs: row.out_ms },
  ...{
    coveredPct: row.device_ms > 0 ? shownCoverage((row.covered_ms / row.device_ms) * 100) : null,
    outPct: percentOf(row.out_ms, row.covered_ms),
    stays,
    dwellMs: row.dwell_ms,
    treatments,
    proven,
  },
})

export const laneScorecards = async (ctx: Context, query: LaneScorecardQuery): Promise<LaneScorecard[]> =>
  (await laneScorecardRows(ctx, query.by, scorecardPeriod(query, ctx.clock.now()))).map(present)

const columns = [
  ...['name', 'shipments', 'arrived', 'on time', 'on time percent', 'mean days late', 'rolled over', 'device hours'],
  ...[
    'excursions',
    'minutes out',
    'percent of time covered',
    'percent of covered time out',
    'stays at ports',
    'mean hours at ports',
    'treatments',
    'proven',
  ],
]

/** lane-scorecards.csv: a line for each lane or carrier. */
export async function laneScorecardsCsv(ctx: Context, query: LaneScorecardQuery) {
  const cards = await laneScorecards(ctx, query)
  const { from, to } = scorecardPeriod(query, ctx.clock.now())
  ctx.audit({
    action: 'claims.scorecardsExported',
    after: { by: query.by, from: from.toISOString(), to: to.toISOString(), count: cards.length },
  })
  return listCsv(
    'lane-scorecards.csv',
    columns,
    cards.map((card) => [
      ...[card.name, card.shipments, card.arrived, card.onTime, card.onTimePct, card.lateDays, card.rolled, card.hours],
      ...[card.excursions, rounded(card.outMs / 60_000, 1), card.coveredPct, card.outPct, card.stays],
      ...[card.dwellMs === null ? null : rounded(card.dwellMs / hourMs, 1), card.treatments, card.proven],
    ]),
  )
}
