import type { SharedDevice } from '@isotherm/contract/share-links.ts'
import { useTranslation } from 'react-i18next'
import { alarmTone, stateOf } from '../../features/devices/device-state.ts'
import { limitsText } from '../../lib/limits-text.ts'
import { formatPercent, formatTemperature, judgedPercentDecimals } from '../../lib/numbers.ts'
import { formatAge, formatTime } from '../../lib/times.ts'
import { StateDot } from '../../ui/state-dot.tsx'
import classes from './shared.module.css'

/** The state of a device as shape, colour and word. */
export function StateMark({ device }: { device: SharedDevice }) {
  const { t } = useTranslation('devices')
  const { tone, hollow, word } = stateOf(device)
  return <StateDot tone={tone} hollow={hollow} label={t(`state.${word}`)} />
}

export const temperatureLimits = ({ limits }: SharedDevice) =>
  limits.temperatureMinC === null && limits.temperatureMaxC === null
    ? null
    : limitsText(limits.temperatureMinC, limits.temperatureMaxC, '°C')

const humidityLimits = ({ limits }: SharedDevice) =>
  limits.humidityMinPct === null && limits.humidityMaxPct === null
    ? null
    : limitsText(limits.humidityMinPct, limits.humidityMaxPct, '%')

export const humidityText = ({ humidityPct, limits: { humidityMinPct: min, humidityMaxPct: max } }: SharedDevice) =>
  formatPercent(humidityPct, judgedPercentDecimals(humidityPct ?? 0, { min, max }))

/** Values, limits, battery and age of a device. */
export function DeviceFacts({ device, now }: { device: SharedDevice; now: number }) {
  const { t } = useTranslation('shared')
  const limits = { temperature: temperatureLimits(device), humidity: humidityLimits(device) }
  return (
    <>
      <p className={classes.now} data-tone={alarmTone(device.judgement.temperature, device.status)}>
        {formatTemperature(device.temperatureC)}
      </p>
      {limits.temperature && <p className={classes.note}>{t('limits', { limits: limits.temperature })}</p>}
      <dl className={classes.facts}>
        {device.humidityPct !== null && (
          <div>
            <dt>{t('humidity')}</dt>
            <dd data-tone={alarmTone(device.judgement.humidity, device.status)}>
              {humidityText(device)}
              {limits.humidity && <span className={classes.note}> ({limits.humidity})</span>}
            </dd>
          </div>
        )}
        {device.batteryPct !== null && (
          <div>
            <dt>{t('battery')}</dt>
            <dd>{formatPercent(device.batteryPct)}</dd>
          </div>
        )}
        <div>
          <dt>{t('lastReading')}</dt>
          <dd>
            {device.measuredAt ? (
              <time dateTime={device.measuredAt}>
                {formatAge(now - Date.parse(device.measuredAt))}
                <span className={classes.note}> {formatTime(device.measuredAt)}</span>
              </time>
            ) : (
              t('noReading')
            )}
          </dd>
        </div>
        {device.position?.placeName && (
          <div>
            <dt>{t('near')}</dt>
            <dd>{device.position.placeName}</dd>
          </div>
        )}
      </dl>
    </>
  )
}
