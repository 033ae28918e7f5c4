import { type ExcursionTotals, excursionLimits } from '@isotherm/contract/excursions.ts'
import type { Context } from '../../platform/context.ts'
import { listCsv } from '../../platform/http/list-csv.ts'
import type { ExcursionFilter, Span } from './queries.ts'
import { addUpFleet, type TotalRow } from './totals-queries.ts'

const totalOf = ({ count, out_ms, longest_ms }: TotalRow) => ({ count, outMs: out_ms, longestMs: longest_ms })

/** The excursions of the span added up by device and by cause. */
export async function totalsOf(ctx: Context, span: Span, wanted: ExcursionFilter): Promise<ExcursionTotals> {
  const rows = await addUpFleet(ctx, span, wanted)
  const devices = rows.filter(({ kind }) => kind === 'device')
  const all = rows.find(({ kind }) => kind === 'all')
  return {
    all: all ? totalOf(all) : { count: 0, outMs: 0, longestMs: 0 },
    devices: devices.slice(0, excursionLimits.totals).map((row) => ({
      ...totalOf(row),
      device: { id: String(row.device_id), name: row.device_name ?? '' },
    })),
    deviceCount: devices.length,
    causes: rows
      .filter(({ kind }) => kind === 'cause')
      .map((row) => ({
        ...totalOf(row),
        cause: row.cause_key === null ? null : { key: row.cause_key, name: row.cause_name ?? row.cause_key },
      })),
  }
}

const columns = ['by', 'name', 'excursions', 'minutes_outside', 'longest_minutes']
const minutes = (ms: number) => Math.round(ms / 60_000)

/** excursion-totals.csv: a line for each device, then one for each cause; without a name are those that have no cause. */
export async function totalsCsv(ctx: Context, span: Span, wanted: ExcursionFilter) {
  const rows = (await addUpFleet(ctx, span, wanted)).filter(({ kind }) => kind !== 'all')
  const lines = rows
    .toSorted((a, b) => Number(b.kind === 'device') - Number(a.kind === 'device'))
    .map((row) => [
      ...[row.kind, row.kind === 'device' ? row.device_name : row.cause_name],
      ...[row.count, minutes(row.out_ms), minutes(row.longest_ms)],
    ])
  ctx.audit({ action: 'devices.excursionTotalsExported', after: { count: lines.length } })
  return listCsv('excursion-totals.csv', columns, lines)
}
