import type { SharedDevice } from '@isotherm/contract/share-links.ts'
import { useTranslation } from 'react-i18next'
import { isHeard, stateOf } from '../../features/devices/device-state.ts'
import { formatTemperature } from '../../lib/numbers.ts'
import { formatAge } from '../../lib/times.ts'
import { DayTrend } from './day-trend.tsx'
import { humidityText, StateMark, temperatureLimits } from './device-facts.tsx'
import classes from './wall.module.css'

interface WallTileProps {
  device: SharedDevice
  /** The time of the values, ms since 1970. */
  until: number
  now: number
}

/** A device to be read from across a hall: its state by colour, shape and word. */
export function WallTile({ device, until, now }: WallTileProps) {
  const { t } = useTranslation('shared')
  const { tone, word } = stateOf(device)
  const limits = temperatureLimits(device)
  const isHumidity = device.temperatureC === null && device.humidityPct !== null
  return (
    <li className={classes.tile} data-tone={tone} data-bad={!['inRange', 'live'].includes(word) || undefined}>
      <div className={classes.head}>
        <h2>
          {device.name}
          {device.isSample && <span className={classes.sample}>{t('devices:sample.badge')}</span>}
        </h2>
        {device.openAlarms !== null && device.openAlarms > 0 && (
          <span className={classes.alarms}>
            <span aria-hidden="true">!</span> {t('wall.alarms', { count: device.openAlarms })}
          </span>
        )}
      </div>
      <p className={classes.number} data-old={!isHeard(device.status) || undefined}>
        {isHumidity ? humidityText(device) : formatTemperature(device.temperatureC)}
      </p>
      <div className={classes.state}>
        <StateMark device={device} />
        {limits && <span>{limits}</span>}
        {!isHumidity && device.humidityPct !== null && <span>{humidityText(device)}</span>}
      </div>
      <div className={classes.foot}>
        <span>{device.measuredAt ? formatAge(now - Date.parse(device.measuredAt)) : t('noReading')}</span>
        <DayTrend device={device} until={until} width={150} height={30} />
      </div>
    </li>
  )
}
