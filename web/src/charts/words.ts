import { useTranslation } from 'react-i18next'
import { formatSpan } from '../lib/times.ts'
import type { ChartMark, ChartPanel, TimeWindow } from './model.ts'
import { summaryOf } from './summary.ts'
import { valueText } from './value-text.ts'

/** The chart in one paragraph, for those who do not see it. */
export function useChartWords(
  panels: readonly ChartPanel[],
  window: TimeWindow,
  zone: string,
  marks: readonly ChartMark[],
): string {
  const { t } = useTranslation('charts')
  const sentences = panels.map((panel) => {
    const summary = summaryOf(panel, window)
    if (!summary) return t('summary.none', { label: panel.label })
    const value = (number: number) => valueText(panel, number)
    const figures = t('summary.figures', {
      label: panel.label,
      min: value(summary.min),
      avg: value(summary.avg),
      max: value(summary.max),
    })
    const excursions = panel.excursions.filter((each) => each.from < window.to && (each.to ?? window.to) > window.from)
    return excursions.length > 0 ? `${figures} ${t('summary.excursions', { count: excursions.length })}` : figures
  })
  const flags = marks.filter(({ at }) => at >= window.from && at <= window.to).length
  return [
    t('summary.period', formatSpan(window.from, window.to, zone)),
    ...sentences,
    ...(flags > 0 ? [t('summary.marks', { count: flags })] : []),
    t('summary.keys'),
  ].join(' ')
}
