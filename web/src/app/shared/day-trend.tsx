import type { Shared, SharedDevice } from '@isotherm/contract/share-links.ts'
import { useTranslation } from 'react-i18next'
import { Sparkline } from '../../charts/sparkline.tsx'
import type { SparkPoint } from '../../charts/sparkline-path.ts'
import { stateOf } from '../../features/devices/device-state.ts'
import { formatTemperature } from '../../lib/numbers.ts'
import { formatClock } from '../../lib/times.ts'
import classes from './shared.module.css'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** The hours of a trend that were measured, each in its middle. */
export function pointsOf(trend: SharedDevice['trend'], until: number): SparkPoint[] {
  const running = Math.floor(until / hourMs) * hourMs
  return trend.flatMap((value, i) =>
    value === null ? [] : [{ at: Math.min(running - (trend.length - 1 - i - 0.5) * hourMs, until), value }],
  )
}

/** The last 24 hours of a device as a line in a box: hours, or where there is a chart its points. */
export function DayTrend({
  device,
  until,
  width,
  height,
}: {
  device: SharedDevice
  until: number
  width: number
  height: number
}) {
  const points = pointsOf(device.trend, until)
  if (points.length === 0) return null
  const { temperatureMinC: min, temperatureMaxC: max } = device.limits
  return (
    <Sparkline
      points={points}
      limits={{ min, max }}
      from={until - dayMs}
      to={until}
      gapMs={1.5 * hourMs}
      tone={stateOf(device).tone}
      width={width}
      height={height}
    />
  )
}

/** Three and a half times the usual step: a longer silence breaks the line. */
function gapOf(points: readonly SparkPoint[]): number {
  const steps = points.slice(1).map(({ at }, i) => at - (points[i]?.at ?? at))
  const usual = steps.sort((a, b) => a - b)[Math.floor(steps.length / 2)] ?? dayMs
  return 3.5 * usual
}

/** The temperature of the last 24 hours, larger, with its limits, ends and extremes. */
export function DayChart({
  device,
  chart,
  until,
}: {
  device: SharedDevice
  chart: NonNullable<Shared['chart']>
  until: number
}) {
  const { t } = useTranslation('shared')
  const points = chart.atMs.flatMap((at, i) => {
    const value = chart.temperature.avg[i]
    return value === null || value === undefined ? [] : [{ at, value }]
  })
  const measured = [...chart.temperature.min, ...chart.temperature.max].filter((value) => value !== null)
  if (measured.length === 0) return <p className={classes.note}>{t('chart.none')}</p>
  const { temperatureMinC: min, temperatureMaxC: max } = device.limits
  const extremes = t('chart.extremes', {
    min: formatTemperature(Math.min(...measured)),
    max: formatTemperature(Math.max(...measured)),
  })
  return (
    <figure className={classes.chart}>
      <Sparkline
        points={points}
        limits={{ min, max }}
        from={until - dayMs}
        to={until}
        gapMs={gapOf(points)}
        tone={stateOf(device).tone}
        label={`${t('chart.title')}. ${extremes}`}
        hasLimitLines
        width={640}
        height={160}
      />
      <div className={classes.ends} aria-hidden="true">
        {[24, 16, 8, 0].map((ago) => (
          <span key={ago}>{formatClock(until - ago * hourMs)}</span>
        ))}
      </div>
      <figcaption className={classes.note}>{extremes}</figcaption>
    </figure>
  )
}
