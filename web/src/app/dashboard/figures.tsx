import type { Dashboard } from '@isotherm/contract/dashboard.ts'
import { Paper } from '@mantine/core'
import { Link, type LinkOptions, linkOptions } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../lib/numbers.ts'
import type { Tone } from '../../ui/state-dot.tsx'
import shared from '../overview.module.css'
import classes from './dashboard.module.css'

interface Props {
  devices: NonNullable<Dashboard['devices']>
  /** Null for who may not see alarms: then the open excursions stand in their place. */
  openAlarms: { critical: number; warning: number } | null
}

interface Figure {
  key: string
  link: LinkOptions
  count: number
  tone: Tone
  more?: boolean
  /** In place of what the key says below the number. */
  small?: string
}

/** Four figures, each a link to the list behind it. */
export function Figures({ devices, openAlarms }: Props) {
  const { t } = useTranslation('dashboard')
  const { summary, excursionsNow } = devices
  const list = (status: string) => ({ link: linkOptions({ to: '/devices/device-overview', search: { status } }) })
  const last: Figure =
    openAlarms === null
      ? {
          key: 'excursions',
          ...list('outOfRange'),
          count: excursionsNow.length,
          tone: excursionsNow.length > 0 ? 'warm' : 'none',
          // The server lists at most 20.
          more: excursionsNow.length >= 20,
        }
      : {
          key: 'openAlarms',
          link: linkOptions({ to: '/alarms/triggered-alarms', search: { state: 'open' } }),
          count: openAlarms.critical + openAlarms.warning,
          tone: openAlarms.critical > 0 ? 'warm' : openAlarms.warning > 0 ? 'warning' : 'none',
          ...(openAlarms.critical + openAlarms.warning > 0 && { small: t('figures.bySeverity', openAlarms) }),
        }
  const figures: Figure[] = [
    { key: 'live', ...list('live'), count: summary.byStatus.live ?? 0, tone: 'ok' },
    {
      key: 'outOfRange',
      ...list('outOfRange'),
      count: summary.outOfRange,
      tone: summary.outOfRange > 0 ? 'warm' : 'none',
    },
    { key: 'silent', ...list('silent'), count: summary.silent, tone: summary.silent > 0 ? 'warning' : 'none' },
    last,
  ]
  return (
    <div className={classes.figures}>
      {figures.map(({ key, link, count, tone, more, small }) => (
        <Paper
          key={key}
          renderRoot={(props) => <Link {...props} {...link} />}
          className={`${shared.figure} ${classes.figure}`}
          data-tone={tone}
        >
          <span className={`${shared.number} ${classes.number}`}>
            {formatNumber(count)}
            {more && '+'}
          </span>
          <span className={classes.caption}>{t(`figures.${key}`)}</span>
          <span className={shared.small}>
            {small ?? t(`figures.${key}Of`, { count: summary.total, total: formatNumber(summary.total) })}
          </span>
        </Paper>
      ))}
    </div>
  )
}
