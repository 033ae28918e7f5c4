import type { Device } from '@isotherm/contract/devices.ts'
import { useTranslation } from 'react-i18next'
import { Age } from '../../../ui/age.tsx'
import { Battery } from './battery.tsx'
import { DayLine } from './day-line.tsx'
import { DeviceName } from './device-columns.tsx'
import classes from './devices.module.css'
import { placeText } from './place.tsx'
import { StateOfDevice } from './state-of-device.tsx'
import { HumidityNow, TemperatureNow } from './temperature-now.tsx'

/** A device in the list of a phone: the same order as the row of the table. */
export function DeviceCard({ device }: { device: Device }) {
  const { t } = useTranslation('devices')
  return (
    <span className={classes.card}>
      <span className={classes.cardTop}>
        <StateOfDevice device={device} />
        <span className={classes.small}>
          <Age at={device.latest?.measuredAt} reason={t('noValue.noReading')} />
        </span>
      </span>
      <DeviceName device={device} />
      <span className={classes.cardTop}>
        <TemperatureNow device={device} size="lg" />
        <DayLine device={device} width={130} />
      </span>
      <span className={classes.cardFacts}>
        {device.latest?.humidityPct !== null && device.latest && <HumidityNow device={device} size="sm" />}
        {device.latest?.batteryPct !== null && device.latest && <Battery percent={device.latest.batteryPct} />}
        {device.position && <span className={classes.cardPlace}>{placeText(device.position)}</span>}
      </span>
    </span>
  )
}
