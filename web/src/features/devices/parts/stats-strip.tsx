import type { Chart } from '@isotherm/contract/devices.ts'
import { Paper, Tooltip } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { ChartPanel, TimeWindow } from '../../../charts/model.ts'
import { sideOf } from '../../../charts/outside.ts'
import { summaryOf } from '../../../charts/summary.ts'
import { formatNumber } from '../../../lib/numbers.ts'
import { formatDuration, formatTime } from '../../../lib/times.ts'
import { Value } from '../../../ui/value.tsx'
import classes from './details.module.css'

/** Figures of the whole period, as the chart's data has them. */
export function StatsStrip({
  chart,
  panels,
  window,
}: {
  chart: Chart
  panels: readonly ChartPanel[]
  window: TimeWindow
}) {
  const { t } = useTranslation('devices')
  const longest = Math.max(0, ...chart.gaps.map((gap) => Date.parse(gap.to) - Date.parse(gap.from)))
  const shown = panels.filter(({ measure }) => measure === 'temperature' || measure === 'humidity')
  return (
    <Paper className={classes.strip} component="section" aria-label={t('stats.label')}>
      {shown.map((panel) => (
        <PanelFigures key={panel.measure} panel={panel} window={window} />
      ))}
      <div className={classes.group}>
        <h2>{t('stats.period')}</h2>
        <dl className={classes.figures} aria-label={t('stats.label')}>
          <Figure label={t('stats.excursions')}>{formatNumber(chart.excursions.length)}</Figure>
          <Figure label={t('stats.longestGap')} hint={t('stats.longestGapHint')}>
            {longest > 0 ? formatDuration(longest) : t('stats.noGap')}
          </Figure>
        </dl>
      </div>
    </Paper>
  )
}

function PanelFigures({ panel, window }: { panel: ChartPanel; window: TimeWindow }) {
  const { t } = useTranslation('devices')
  const summary = summaryOf(panel, window)
  if (!summary) return null
  const tone = (value: number, at: number) => {
    const side = sideOf({ at, min: value, max: value }, panel.limits)
    return side === 'above' ? 'warm' : side === 'below' ? 'cold' : undefined
  }
  const { unit, decimals } = panel
  return (
    <div className={classes.group}>
      <h2>{panel.label}</h2>
      <dl className={classes.figures} aria-label={panel.label}>
        <Figure label={t('stats.lowest')} hint={formatTime(summary.minAt)}>
          <Value
            value={summary.min}
            unit={unit}
            decimals={decimals}
            size="md"
            tone={tone(summary.min, summary.minAt)}
          />
        </Figure>
        <Figure label={t('stats.average')} hint={t('stats.averageHint')}>
          <Value value={summary.avg} unit={unit} decimals={decimals} size="md" />
        </Figure>
        <Figure label={t('stats.highest')} hint={formatTime(summary.maxAt)}>
          <Value
            value={summary.max}
            unit={unit}
            decimals={decimals}
            size="md"
            tone={tone(summary.max, summary.maxAt)}
          />
        </Figure>
      </dl>
    </div>
  )
}

function Figure({ label, hint, children }: { label: string; hint?: string; children: ReactNode }) {
  const value = <dd>{children}</dd>
  return (
    <div className={classes.figure}>
      <dt>{label}</dt>
      {hint ? <Tooltip label={hint}>{value}</Tooltip> : value}
    </div>
  )
}
