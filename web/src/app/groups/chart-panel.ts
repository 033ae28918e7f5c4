import type { Period } from '@isotherm/contract/common.ts'
import type { GroupChart } from '@isotherm/contract/groups.ts'
import type { ChartPanel, ChartPoint } from '../../charts/model.ts'

/** The colours of lines that stand out, by device. */
export type LineColours = ReadonlyMap<string, string>

/** Buckets without a value that a line still runs across. */
const bridged = 3

/** The mean of all, with each device's line behind it; of too many devices with the band from the lowest to the highest. */
export function panelOf(chart: GroupChart, period: Period, label: string, colours: LineColours): ChartPanel {
  const { band, atMs, measure, limits } = chart
  const isTemperature = measure === 'temperature'
  const reachOf = (intervalS: number) => bridged * Math.max(chart.bucketS, intervalS) * 1000
  return {
    measure,
    label,
    unit: isTemperature ? '°C' : '%',
    decimals: isTemperature ? 1 : 0,
    points: pointsOf(atMs, reachOf(0), (at) =>
      chart.lines.length > 0
        ? [band.mean[at], band.mean[at], band.mean[at]]
        : [band.min[at], band.mean[at], band.max[at]],
    ),
    limits:
      limits.min === null && limits.max === null
        ? []
        : [{ from: Date.parse(period.from), to: Date.parse(period.to), ...limits }],
    excursions: [],
    others: chart.lines.map(({ deviceId, name, intervalS, values, limits: own }) => ({
      name,
      colour: colours.get(deviceId),
      limits: [{ from: Date.parse(period.from), to: Date.parse(period.to), ...own }],
      points: pointsOf(atMs, reachOf(intervalS), (at) => [values[at], values[at], values[at]]),
    })),
  }
}

type Value = number | null | undefined

function pointsOf(atMs: readonly number[], reach: number, valuesAt: (at: number) => [Value, Value, Value]) {
  const points: ChartPoint[] = []
  for (const [index, at] of atMs.entries()) {
    const [min, avg, max] = valuesAt(index)
    if (typeof min !== 'number' || typeof avg !== 'number' || typeof max !== 'number') continue
    const before = points.at(-1)
    points.push({ at, min, avg, max, ...(before && at - before.at > reach && { afterGap: true }) })
  }
  return points
}
