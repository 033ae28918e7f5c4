import type { Dashboard } from '@isotherm/contract/dashboard.ts'
import { Paper } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../lib/numbers.ts'
import type { Tone } from '../../ui/state-dot.tsx'
import classes from './dashboard.module.css'

/** Four figures, each a link to the list behind it. */
export function Figures({ devices }: { devices: NonNullable<Dashboard['devices']> }) {
  const { t } = useTranslation('dashboard')
  const { summary, excursionsNow } = devices
  const figures: { key: string; status: string; count: number; tone: Tone; more?: boolean }[] = [
    { key: 'live', status: 'live', count: summary.byStatus.live ?? 0, tone: 'ok' },
    {
      key: 'outOfRange',
      status: 'outOfRange',
      count: summary.outOfRange,
      tone: summary.outOfRange > 0 ? 'warm' : 'none',
    },
    { key: 'silent', status: 'silent', count: summary.silent, tone: summary.silent > 0 ? 'warning' : 'none' },
    {
      key: 'excursions',
      status: 'outOfRange',
      count: excursionsNow.length,
      tone: excursionsNow.length > 0 ? 'warm' : 'none',
      // The server lists at most 20.
      more: excursionsNow.length >= 20,
    },
  ]
  return (
    <div className={classes.figures}>
      {figures.map(({ key, status, count, tone, more }) => (
        <Paper
          key={key}
          component={Link}
          to="/devices/device-overview"
          search={{ status } as never}
          className={classes.figure}
          data-tone={tone}
        >
          <span className={classes.number}>
            {formatNumber(count)}
            {more && '+'}
          </span>
          <span className={classes.caption}>{t(`figures.${key}`)}</span>
          <span className={classes.small}>
            {t(`figures.${key}Of`, { count: summary.total, total: formatNumber(summary.total) })}
          </span>
        </Paper>
      ))}
    </div>
  )
}
