import type { DashboardEvent } from '@isotherm/contract/dashboard.ts'
import { Paper } from '@mantine/core'
import { IconCheck, IconPlus, IconTriangle, IconTriangleInverted } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { formatNumber, temperatureDecimals } from '../../lib/numbers.ts'
import { Age } from '../../ui/age.tsx'
import classes from './dashboard.module.css'

/** What happened last, newest first. */
export function LastEvents({ events }: { events: readonly DashboardEvent[] }) {
  const { t } = useTranslation('dashboard')
  return (
    <Paper className={classes.panel} component="section" aria-label={t('events.title')}>
      <h2 className={classes.heading}>{t('events.title')}</h2>
      {events.length === 0 ? (
        <p className={classes.nothing}>{t('events.none')}</p>
      ) : (
        <ul className={classes.events}>
          {events.map((event) => (
            <li key={`${event.kind} ${event.deviceId} ${event.measure} ${event.at}`}>
              <EventMark event={event} />
              <span className={classes.eventText}>
                <Link to="/devices/$deviceId/details" params={{ deviceId: event.deviceId }} className={classes.device}>
                  {event.deviceName}
                </Link>{' '}
                <EventText event={event} />
              </span>
              <span className={classes.small}>
                <Age at={event.at} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Paper>
  )
}

function EventMark({ event }: { event: DashboardEvent }) {
  const props = { size: 15, 'aria-hidden': true, className: classes.eventMark } as const
  if (event.kind === 'deviceAdded') return <IconPlus {...props} />
  if (event.kind === 'excursionEnded') return <IconCheck {...props} data-tone="ok" />
  return event.side === 'below' ? (
    <IconTriangleInverted {...props} data-tone="cold" />
  ) : (
    <IconTriangle {...props} data-tone="warm" />
  )
}

function EventText({ event }: { event: DashboardEvent }) {
  const { t } = useTranslation('dashboard')
  if (event.kind === 'deviceAdded' || !event.measure || !event.side) return t('events.deviceAdded')
  const isTemperature = event.measure === 'temperature'
  const peak =
    event.peak === null
      ? ''
      : `${formatNumber(event.peak, isTemperature ? temperatureDecimals(event.peak) : 0)}\u202f${isTemperature ? '°C' : '%'}`
  return t(`events.${event.kind}.${event.measure}.${event.side}`, { peak })
}
