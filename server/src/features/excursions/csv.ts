import type { Excursion } from '@isotherm/contract/excursions.ts'
import type { Context } from '../../platform/context.ts'
import { listCsv, maxRows } from '../../platform/http/list-csv.ts'
import { presentExcursion } from './present.ts'
import { type ExcursionRow, findExcursions, type Span } from './queries.ts'

const columns = [
  ...[
    'device',
    'measure',
    'side',
    'start_utc',
    'end_utc',
    'ended_by',
    'duration_minutes',
    'limit',
    'peak',
    'peak_at_utc',
  ],
  ...['degree_minutes', 'late', 'amended_at_utc', 'cause', 'note', 'owner', 'annotated_by', 'annotated_at_utc'],
]

/** excursions.csv: a line per excursion that reaches into the span, of devices the person sees. */
export async function excursionsCsv(
  ctx: Context,
  span: Span,
  wanted: Omit<Parameters<typeof findExcursions>[2], 'page' | 'perPage'>,
) {
  const rows = await findExcursions(ctx, span, { ...wanted, page: 1, perPage: maxRows })
  ctx.audit({ action: 'devices.excursionsExported', after: { count: rows.length } })
  return listCsv('excursions.csv', columns, linesOf(rows))
}

function* linesOf(rows: readonly ExcursionRow[]) {
  for (const row of rows) yield lineOf(presentExcursion(row))
}

const lineOf = ({ annotations: [own], ...one }: Excursion) => [
  ...[one.deviceName, one.measure, one.side, one.startAt, one.endAt, one.endedBy, Math.round(one.durationMs / 60_000)],
  ...[one.limit, one.peak, one.peakAt, one.degreeMinutes, one.isLate, one.amendedAt],
  ...[own?.cause?.name, own?.note, own?.owner?.name, own?.changedBy, own?.changedAt],
]
