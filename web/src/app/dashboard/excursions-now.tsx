import type { DashboardExcursion, DashboardHeading } from '@isotherm/contract/dashboard.ts'
import { Paper } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useNow } from '../../lib/now.ts'
import { formatNumber, measureDecimals } from '../../lib/numbers.ts'
import { formatDuration, formatTime } from '../../lib/times.ts'
import { StateDot } from '../../ui/state-dot.tsx'
import { Value } from '../../ui/value.tsx'
import shared from '../overview.module.css'
import classes from './dashboard.module.css'
import { HeadingOut } from './heading-out.tsx'

interface Props {
  excursions: readonly DashboardExcursion[]
  headings: readonly DashboardHeading[]
}

/** Devices outside their limits at this moment, longest first, and those that soon will be. */
export function ExcursionsNow({ excursions, headings }: Props) {
  const { t } = useTranslation('dashboard')
  return (
    <Paper className={shared.panel} component="section" aria-label={t('excursions.title')}>
      <h2 className={shared.heading}>{t('excursions.title')}</h2>
      {excursions.length === 0 ? (
        <p className={shared.nothing}>{t('excursions.none')}</p>
      ) : (
        <ul className={classes.rows}>
          {excursions.map((excursion) => (
            <Row key={excursion.id} excursion={excursion} />
          ))}
        </ul>
      )}
      <HeadingOut headings={headings} />
    </Paper>
  )
}

function Row({ excursion }: { excursion: DashboardExcursion }) {
  const { t } = useTranslation(['dashboard', 'devices'])
  const now = useNow()
  const { measure, side, value, limit, startAt, peak } = excursion
  const unit = measure === 'temperature' ? '°C' : '%'
  const tone = side === 'above' ? 'warm' : 'cold'
  const word =
    measure === 'temperature' ? (side === 'above' ? 'tooWarm' : 'tooCold') : side === 'above' ? 'tooHumid' : 'tooDry'
  const decimals = (number: number) => measureDecimals(measure, number)
  return (
    <li>
      <Link
        to="/devices/$deviceId/details"
        params={{ deviceId: excursion.deviceId }}
        className={classes.row}
        data-tone={tone}
      >
        <span className={classes.rowMain}>
          <span className={classes.rowName}>{excursion.deviceName}</span>
          <StateDot tone={tone} label={t(`devices:state.${word}`)} />
        </span>
        <span className={classes.rowMain}>
          <span className={shared.small} title={formatTime(startAt)}>
            {t('excursions.since', { duration: formatDuration(now - Date.parse(startAt)) })}
            {limit !== null && ` · ${t(`excursions.${side}`, { limit: formatNumber(limit), unit })}`}
            {` · ${t('excursions.peak', { peak: formatNumber(peak, decimals(peak)), unit })}`}
          </span>
          <Value
            value={value}
            unit={unit}
            decimals={value === null ? undefined : decimals(value)}
            size="lg"
            tone={tone}
          />
        </span>
      </Link>
    </li>
  )
}
