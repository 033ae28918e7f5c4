import type { DashboardAlarmEvent, DashboardEvent } from '@isotherm/contract/dashboard.ts'
import { Paper } from '@mantine/core'
import { IconBell, IconCheck, IconPlus, IconTriangle, IconTriangleInverted } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { measureDecimals, withUnit } from '../../lib/numbers.ts'
import { Age } from '../../ui/age.tsx'
import shared from '../overview.module.css'
import classes from './dashboard.module.css'

const maxEvents = 20

interface Props {
  events: readonly DashboardEvent[]
  alarms: readonly DashboardAlarmEvent[]
}

/** The latest events, newest first. */
export function LastEvents({ events, alarms }: Props) {
  const { t } = useTranslation('dashboard')
  const all = [...events, ...alarms].sort((a, b) => b.at.localeCompare(a.at)).slice(0, maxEvents)
  return (
    <Paper className={shared.panel} component="section" aria-label={t('events.title')}>
      <h2 className={shared.heading}>{t('events.title')}</h2>
      {all.length === 0 ? (
        <p className={shared.nothing}>{t('events.none')}</p>
      ) : (
        <ul className={classes.events}>
          {all.map((event) => (
            <li
              key={`${event.kind} ${event.deviceId} ${'measure' in event ? event.measure : event.triggerId} ${event.at}`}
            >
              {'measure' in event ? <EventMark event={event} /> : <AlarmMark event={event} />}
              <span className={classes.eventText}>
                <Link to="/devices/$deviceId/details" params={{ deviceId: event.deviceId }} className={classes.device}>
                  {event.deviceName}
                </Link>{' '}
                {'measure' in event ? <EventText event={event} /> : <AlarmText event={event} />}
              </span>
              <span className={shared.small}>
                <Age at={event.at} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Paper>
  )
}

function AlarmMark({ event: { kind, severity } }: { event: DashboardAlarmEvent }) {
  const tone = kind !== 'alarmOpened' ? 'ok' : severity === 'critical' ? 'warm' : 'warning'
  return <IconBell size={15} aria-hidden className={classes.eventMark} data-tone={tone} />
}

function AlarmText({ event }: { event: DashboardAlarmEvent }) {
  const { t } = useTranslation('dashboard')
  return (
    <Link to="/alarms/triggered-alarms" search={{ trigger: event.triggerId }} className={classes.eventLink}>
      {t(`events.${event.kind}`, { alarm: event.alarmName, by: event.by ?? '–' })}
    </Link>
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
  const peak =
    event.peak === null
      ? ''
      : withUnit(event.peak, event.measure === 'temperature' ? '°C' : '%', measureDecimals(event.measure, event.peak))
  return t(`events.${event.kind}.${event.measure}.${event.side}`, { peak })
}
