import type { Period } from '@isotherm/contract/common.ts'
import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { formatSpan } from '../lib/times.ts'
import { inMinutes } from './in-minutes.ts'
import type { TimeWindow } from './model.ts'
import classes from './time-chart.module.css'

interface ZoomedNoteProps {
  window: TimeWindow
  whole: TimeWindow
  zone: string
  onUse?: (period: Period) => void
}

/** Says which part a zoomed chart shows, because the figures beside it are of the whole period. */
export function ZoomedNote({ window, whole, zone, onUse }: ZoomedNoteProps) {
  const { t } = useTranslation('charts')
  const { from, to } = inMinutes(window, whole)
  return (
    <div className={classes.zoomed}>
      <span>{t('zoomed', formatSpan(from, to, zone))}</span>
      {onUse && (
        <Button
          size="compact-xs"
          variant="default"
          onClick={() => onUse({ from: new Date(from).toISOString(), to: new Date(to).toISOString() })}
        >
          {t('usePeriod')}
        </Button>
      )}
    </div>
  )
}
