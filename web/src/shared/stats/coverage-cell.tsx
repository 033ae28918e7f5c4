import type { MeasureStats } from '@isotherm/contract/stats.ts'
import { useTranslation } from 'react-i18next'
import { noValue } from '../../lib/numbers.ts'
import { formatDuration, formatSpan } from '../../lib/times.ts'
import { coverageText, gapOf } from './coverage.ts'
import classes from './figures.module.css'

/** Beside a verdict in a table: how much of the period was measured, and the longest time that was not. */
export function CoverageCell({ stats }: { stats: MeasureStats }) {
  const { t } = useTranslation('stats')
  const gap = gapOf(stats)
  return (
    <>
      {coverageText(stats) ?? noValue}
      {gap && (
        <div className={classes.note} title={t('gapHint', formatSpan(gap.from, gap.to))}>
          {t('longestGap', { duration: formatDuration(gap.ms) })}
        </div>
      )}
    </>
  )
}
