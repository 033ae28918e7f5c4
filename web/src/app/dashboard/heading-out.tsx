import type { DashboardHeading } from '@isotherm/contract/dashboard.ts'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { formatNumber, temperatureDecimals, thinSpace } from '../../lib/numbers.ts'
import { Value } from '../../ui/value.tsx'
import shared from '../overview.module.css'
import classes from './dashboard.module.css'

/** Devices in range, but likely not for long: soonest first. Renders nothing where there is none. */
export function HeadingOut({ headings }: { headings: readonly DashboardHeading[] }) {
  const { t } = useTranslation('dashboard')
  if (headings.length === 0) return null
  return (
    <section aria-label={t('heading.title')}>
      <h3 className={classes.subheading} title={t('heading.hint')}>
        {t('heading.title')}
      </h3>
      <ul className={classes.rows}>
        {headings.map((heading) => (
          <Row key={heading.deviceId} heading={heading} />
        ))}
      </ul>
    </section>
  )
}

function Row({ heading }: { heading: DashboardHeading }) {
  const { t } = useTranslation('dashboard')
  const { deviceId, deviceName, value, limit, minutes, lowMinutes, highMinutes } = heading
  const limitText = `${formatNumber(limit, temperatureDecimals(limit))}${thinSpace}°C`
  return (
    <li>
      <Link to="/devices/$deviceId/details" params={{ deviceId }} className={classes.row} data-tone="warning">
        <span className={classes.rowName}>{deviceName}</span>
        <span className={classes.rowMain}>
          <span className={shared.small}>
            {t('heading.text', { limit: limitText, minutes, low: lowMinutes, high: highMinutes })}
          </span>
          <Value value={value} unit="°C" decimals={temperatureDecimals(value)} size="lg" />
        </span>
      </Link>
    </li>
  )
}
