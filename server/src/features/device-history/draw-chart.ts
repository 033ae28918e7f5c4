import type { Chart } from '@isotherm/contract/device-history.ts'
import type { Drawing } from '../../core/devices/device-reader.ts'
import { presentExcursion } from '../../core/devices/present-excursion.ts'
import { hundredths } from '../../domain/measures.ts'
import type { Context } from '../../platform/context.ts'
import { withBattery } from './battery-queries.ts'
import { type ChartRow, readBuckets, readEach, readExcursions, readRollups } from './chart-queries.ts'
import { columnsOf } from './chart-series.ts'
import { countReadings } from './history-queries.ts'
import { type HistoryScope, openHistory } from './history-scope.ts'

// Above this many readings raw rows are too slow to bucket; the rollups take over, whose buckets are whole hours. A day of
// one every 5 seconds is below it: 24 hours would be a poor chart of a day.
const maxRaw = 20_000
const hourS = 3_600
// Widths people read at a glance, in seconds.
const widthsS = [10, 20, 30, 60, 120, 180, 300, 600, 900, 1200, 1800, hourS]

/** The narrowest bucket that keeps a period within about `points` of them. */
export function bucketFor(periodMs: number, points: number): number {
  const atLeast = periodMs / 1000 / points
  return widthsS.find((width) => width >= atLeast) ?? Math.ceil(atLeast / hourS) * hourS
}

interface Rows {
  rows: ChartRow[]
  bucketS: number
}

async function readRows(ctx: Context, scope: HistoryScope, points: number): Promise<Rows> {
  // One and a half times as many points as asked for are still cheaper than the detail lost.
  const few = points * 1.5
  const each = async (): Promise<Rows> => ({ rows: await readEach(ctx, scope), bucketS: 0 })
  const wanted = bucketFor(scope.to - scope.from, points)
  if (wanted < hourS) {
    const count = await countReadings(ctx, scope)
    if (count <= few) return each()
    if (count <= maxRaw) return { rows: await readBuckets(ctx, scope, wanted), bucketS: wanted }
  }
  const bucketS = Math.max(wanted, hourS)
  const rows = await readRollups(ctx, scope, bucketS)
  // A device that measures rarely has few readings even in a year: they are worth more than their buckets.
  if (rows.reduce((sum, row) => sum + row.n, 0) <= few) return each()
  return { rows: await withBattery(ctx, scope, rows, bucketS), bucketS }
}

const middleOf = (start: number, bucketS: number, { from, to }: HistoryScope) =>
  Math.round((Math.max(start, from) + Math.min(start + bucketS * 1000, to)) / 2)

/** Measures of a period for a chart: every reading where they are few, else minimum, average and maximum per bucket. Throws NOT_FOUND. */
export async function drawChart(ctx: Context, id: string, drawing: Drawing): Promise<Chart> {
  const scope = await openHistory(ctx, id, drawing)
  const [{ rows, bucketS }, excursions] = await Promise.all([
    readRows(ctx, scope, drawing.points),
    readExcursions(ctx, scope),
  ])
  const drawn = bucketS === 0 ? rows : rows.map((row) => ({ ...row, at: middleOf(row.at, bucketS, scope) }))
  return {
    bucketS,
    ...columnsOf(drawn, scope.rules, bucketS < hourS),
    limits: bandsOf(scope),
    excursions: excursions.map((row) => ({ ...presentExcursion(row), cause: row.cause, note: row.note })),
  }
}

/** The limits through the period, each as long as it held. */
export function bandsOf({ limits, from, to }: Pick<HistoryScope, 'limits' | 'from' | 'to'>): Chart['limits'] {
  return limits.flatMap((row, index) => {
    const start = Math.max(row.from, from)
    const end = Math.min(limits[index + 1]?.from ?? to, to)
    if (start >= end) return []
    return {
      from: new Date(start).toISOString(),
      to: new Date(end).toISOString(),
      temperatureMinC: hundredths(row.temperatureMin),
      temperatureMaxC: hundredths(row.temperatureMax),
      humidityMinPct: hundredths(row.humidityMin),
      humidityMaxPct: hundredths(row.humidityMax),
    }
  })
}
