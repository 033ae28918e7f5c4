import type { Trigger } from '@isotherm/contract/triggers.ts'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { formatClock, formatDate, formatTime } from '../../../lib/times.ts'
import { measureOf } from '../present-value.ts'
import classes from './triggers.module.css'

const stamps = ['openedAt', 'acknowledgedAt', 'normalAt', 'resolvedAt'] as const

/** The times of a trigger in one line, the day said once; everything else is behind it. */
export function TriggerTimes({ trigger, children }: { trigger: Trigger; children: ReactNode }) {
  const { t } = useTranslation('triggers')
  const { breachAt, condition } = trigger
  const day = formatDate(breachAt)
  const short = (at: string) => (formatDate(at) === day ? formatClock(at) : formatTime(at))
  const parts = [
    t(measureOf(condition) ? 'times.outside' : 'times.began', { time: formatTime(breachAt) }),
    ...stamps.flatMap((name) => {
      const at = trigger[name]
      return at ? t(`times.${name}`, { time: short(at) }) : []
    }),
  ]
  return (
    <details className={classes.times}>
      <summary>
        <span className={classes.timesLine}>{parts.join(' · ')}</span>
        <span className={classes.timesMore}>{t('times.details')}</span>
      </summary>
      {children}
    </details>
  )
}
