import type { RouteStop, TrackedDevice, Tracking } from '@isotherm/contract/order-tracking.ts'
import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { formatTime } from '../../../lib/times.ts'
import { Age } from '../../../ui/age.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { ToneBadge } from '../../../ui/tone-badge.tsx'
import { nameOf } from '../device-name.ts'
import { Arrival } from './arrival.tsx'
import { TemperatureDot } from './temperature-dot.tsx'
import classes from './tracking.module.css'

/** The stops in their sequence with what is expected there, and what the devices tell now. */
export function TrackedStops({ tracking }: { tracking: Tracking }) {
  const { t } = useTranslation('orderTracking')
  return (
    <div className={classes.columns}>
      <Panel title={t('stops')}>
        <ol className={classes.stops}>
          {tracking.stops.map((stop) => (
            <Stop key={stop.id} stop={stop} />
          ))}
        </ol>
      </Panel>
      {tracking.devices.length > 0 && (
        <Panel title={t('devices')}>
          <ul className={classes.stops}>
            {tracking.devices.map((device) => (
              <Device key={device.id} device={device} />
            ))}
          </ul>
        </Panel>
      )}
    </div>
  )
}

function Stop({ stop }: { stop: RouteStop }) {
  const { t } = useTranslation('orderTracking')
  const { eta, isLate, snoozedUntil, settledAt, arrivedAt, windowFrom, windowBy } = stop
  const zone = stop.stop.timezone
  return (
    <li className={classes.stop}>
      <div className={classes.head}>
        <span>{t('stop', { number: stop.sequence, name: stop.name })}</span>
        {isLate && (
          <ToneBadge size="sm" tone="warning">
            {t('late')}
          </ToneBadge>
        )}
        <Text component="span" size="xs" c="dimmed">
          {snoozedUntil ? t('snoozed', { time: formatTime(snoozedUntil, zone) }) : t(`states.${stop.state}`)}
        </Text>
      </div>
      <Text size="xs" c="dimmed">
        {stop.stop.address}
      </Text>
      {eta && <Arrival eta={eta} timezone={zone} hasBasis />}
      {(settledAt ?? arrivedAt) && (
        <Text size="xs">
          {t(settledAt ? 'settledAt' : 'arrivedAt', { time: formatTime(settledAt ?? arrivedAt ?? '', zone) })}
        </Text>
      )}
      {(windowFrom ?? windowBy) && !settledAt && (
        <Text size="xs" c="dimmed">
          {windowFrom && windowBy
            ? t('window', { from: formatTime(windowFrom, zone), by: formatTime(windowBy, zone) })
            : t(windowBy ? 'windowBy' : 'windowFrom', { time: formatTime(windowBy ?? windowFrom ?? '', zone) })}
        </Text>
      )}
    </li>
  )
}

function Device({ device }: { device: TrackedDevice }) {
  const { t } = useTranslation('orderTracking')
  return (
    <li className={classes.stop}>
      <div className={classes.head}>
        <span>{nameOf(device, t)}</span>
        <Text component="span" size="xs" c="dimmed">
          {device.kind === 'phone' ? t('phone.kind') : t(`roles.${device.role}`)}
        </Text>
      </div>
      {device.kind === 'phone' ? (
        <Text size="sm">
          {device.position ? t('phone.position') : t('phone.none')} {device.position && <Age at={device.position.at} />}
        </Text>
      ) : (
        <TemperatureDot temperature={device.temperature} />
      )}
    </li>
  )
}
