import type { Chart } from '@isotherm/contract/device-history.ts'
import type { ReportChartData } from '../../../reporting/chart.ts'
import type { GroupReportContent } from '../content.ts'

type Series = (number | null)[]

/**
 * The bands of both measures as one chart: from the lowest to the highest of all devices, with their mean. Both have the
 * same buckets, but each only those in which something was measured.
 */
export function bandOf(
  { period, zone, totals, limits }: GroupReportContent,
  chart: NonNullable<GroupReportContent['chart']>,
): ReportChartData {
  const atMs = [...new Set([...chart.temperature.atMs, ...chart.humidity.atMs])].sort((a, b) => a - b)
  const spread = (measure: 'temperature' | 'humidity') => {
    const place = new Map(chart[measure].atMs.map((at, index) => [at, index]))
    const of = (series: Series): Series =>
      atMs.map((at) => {
        const index = place.get(at)
        return index === undefined ? null : (series[index] ?? null)
      })
    const { min, mean, max } = chart[measure].band
    return { min: of(min), avg: of(mean), max: of(max) }
  }
  const drawn: Chart = {
    bucketS: chart.temperature.bucketS,
    atMs,
    temperature: spread('temperature'),
    humidity: spread('humidity'),
    batteryPct: null,
    lightLux: null,
    limits: limits ? [{ ...limits, ...period }] : [],
    excursions: [],
    gaps: [],
  }
  return {
    chart: drawn,
    period,
    zone,
    until: Date.parse(period.to),
    excursions: [],
    limits: drawn.limits,
    stats: { humidity: { count: totals.humidity.readings } },
  }
}
