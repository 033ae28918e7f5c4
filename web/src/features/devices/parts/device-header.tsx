import type { Device } from '@isotherm/contract/devices.ts'
import { Paper } from '@mantine/core'
import { lazy, type ReactNode, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { limitsText } from '../../../lib/limits-text.ts'
import { useNow } from '../../../lib/now.ts'
import { formatNumber } from '../../../lib/numbers.ts'
import { formatDuration, formatTime } from '../../../lib/times.ts'
import { Age } from '../../../ui/age.tsx'
import frames from '../../../ui/frames.module.css'
import { Value } from '../../../ui/value.tsx'
import { Battery } from './battery.tsx'
import classes from './details.module.css'
import { Place } from './place.tsx'
import { SampleMark } from './sample-mark.tsx'
import { StateOfDevice } from './state-of-device.tsx'
import { HumidityNow, TemperatureNow } from './temperature-now.tsx'
import { TimeToBreachNote } from './time-to-breach-note.tsx'
import { WaitingNotes } from './waiting-notes.tsx'

const SampleNote = lazy(() => import('./sample-note.tsx').then((m) => ({ default: m.SampleNote })))

/** A device now: state, the big numbers with their limits, battery, light, place, age. */
export function DeviceHeader({ device }: { device: Device }) {
  const { t } = useTranslation('devices')
  const { latest, limits } = device
  const measuresHumidity = latest === null || latest.humidityPct !== null || limits.humidityMaxPct !== null
  return (
    <Paper className={frames.panel} component="section" aria-label={t('now')}>
      <div className={classes.header}>
        <div className={classes.big}>
          <span>
            <StateOfDevice device={device} />
            <SampleMark device={device} />
          </span>
          <TemperatureNow device={device} size="xl" />
          <Limits min={limits.temperatureMinC} max={limits.temperatureMaxC} unit="°C" />
          <TimeToBreachNote device={device} />
        </div>
        {measuresHumidity && (
          <div className={classes.big}>
            <span className={classes.label}>{t('columns.humidity')}</span>
            <HumidityNow device={device} size="xl" />
            <Limits min={limits.humidityMinPct} max={limits.humidityMaxPct} unit="%" />
          </div>
        )}
        <dl className={classes.facts}>
          <Fact label={t('columns.lastSeen')}>
            <Age at={latest?.measuredAt} reason={t('noValue.noReading')} />
          </Fact>
          <Fact label={t('columns.battery')}>
            <Battery percent={latest?.batteryPct} />
          </Fact>
          {latest?.lightLux !== null && latest !== null && (
            <Fact label={t('columns.light')}>
              <Value value={latest.lightLux} unit="lx" decimals={0} />
            </Fact>
          )}
          <Fact label={t('columns.place')}>
            <Place position={device.position} />
          </Fact>
          <Fact label={t('columns.imei')}>
            {device.imei ?? <Value value={null} unit="" reason={t('noValue.noHardware')} />}
          </Fact>
          {device.tag && <Fact label={t('columns.tag')}>{device.tag}</Fact>}
        </dl>
      </div>
      <DeviceNotes device={device} />
    </Paper>
  )
}

function Limits({ min, max, unit }: { min: number | null; max: number | null; unit: string }) {
  const { t } = useTranslation('devices')
  const text = min === null && max === null ? t('limits.none') : t('limits.are', { limits: limitsText(min, max, unit) })
  return <span className={frames.note}>{text}</span>
}

const Fact = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className={classes.fact}>
    <dt>{label}</dt>
    <dd>{children}</dd>
  </div>
)

/** Warnings before somebody trusts the numbers. */
function DeviceNotes({ device }: { device: Device }) {
  const { t } = useTranslation('devices')
  const now = useNow()
  const notes: string[] = []
  if (device.excursionSince && (device.status === 'live' || device.status === 'late'))
    notes.push(
      t('notes.outSince', {
        time: formatTime(device.excursionSince),
        duration: formatDuration(now - Date.parse(device.excursionSince)),
      }),
    )
  if (device.clockAheadS !== null)
    notes.push(t('notes.clockAhead', { minutes: formatNumber(Math.round(device.clockAheadS / 60)) }))
  if (device.status === 'expired' && device.hiddenFrom)
    notes.push(t('notes.expired', { time: formatTime(device.hiddenFrom) }))
  if (device.status === 'awaiting') notes.push(t('notes.awaiting'))
  return (
    <div className={classes.notes}>
      {notes.map((note) => (
        <p key={note}>{note}</p>
      ))}
      <WaitingNotes device={device} />
      {device.sampleUntil && (
        <Suspense fallback={null}>
          <SampleNote device={device} until={device.sampleUntil} />
        </Suspense>
      )}
    </div>
  )
}
