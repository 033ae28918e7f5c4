import type { Period } from '@isotherm/contract/common.ts'
import type { Chart } from '@isotherm/contract/device-history.ts'
import { useTranslation } from 'react-i18next'
import type { Measure } from '../../../charts/model.ts'
import { formatSpan } from '../../../lib/times.ts'
import { Chip } from '../../../ui/chip.tsx'
import frames from '../../../ui/frames.module.css'
import { type ChartView, measures } from '../chart-view.ts'
import { periodBefore } from '../compared.ts'
import classes from './details.module.css'

interface ChartChoiceProps {
  view: ChartView
  onShow: (next: ChartView) => void
  chart: Chart | undefined
  /** False where the period before is no comparison, as of a session. */
  canCompare: boolean
}

/** Which measures the chart shows, and whether the period before lies under them. One measure always stays. */
export function ChartChoice({ view, onShow, chart, canCompare }: ChartChoiceProps) {
  const { t } = useTranslation('charts')
  const { shown, compare } = view
  const toggled = (measure: Measure) =>
    shown.includes(measure) ? shown.filter((each) => each !== measure) : [...shown, measure]
  const missing = chart ? shown.filter((measure) => isMissing(chart, measure)) : []
  return (
    <fieldset className={classes.choice} aria-label={t('measures')}>
      {measures.map((measure) => (
        <Chip
          key={measure}
          pressed={shown.includes(measure)}
          onClick={() => toggled(measure).length > 0 && onShow({ ...view, shown: toggled(measure) })}
        >
          {t(`devices:columns.${measure}`)}
        </Chip>
      ))}
      {canCompare && (
        <Chip pressed={compare} onClick={() => onShow({ ...view, compare: !compare })}>
          {t('compare')}
        </Chip>
      )}
      {missing.map((measure) => (
        <span key={measure} className={frames.note}>
          {t(measure === 'light' && !chart?.lightLux ? 'onlyShorter' : 'noValues', {
            measure: t(`devices:columns.${measure}`),
          })}
        </span>
      ))}
    </fieldset>
  )
}

/** The legend of the dashed line, with its dates; also written into the image. */
export function useComparedText(period: Period, zone: string): string {
  const { t } = useTranslation('charts')
  const { from, to } = periodBefore(period)
  return t('compared', formatSpan(from, to, zone))
}

function isMissing(chart: Chart, measure: Measure): boolean {
  if (measure === 'temperature') return false
  const values = { humidity: chart.humidity.avg, battery: chart.batteryPct, light: chart.lightLux }[measure]
  return !values?.some((value) => value !== null)
}
