import type { Device } from '@isotherm/contract/devices.ts'
import { useTranslation } from 'react-i18next'
import { useNow } from '../../../lib/now.ts'
import { formatNumber } from '../../../lib/numbers.ts'
import frames from '../../../ui/frames.module.css'
import { forecastAt } from '../time-to-breach.ts'
import classes from './details.module.css'

/** Where the temperature is heading: "8 °C in about 25 min (15–40)". Nothing where it is heading nowhere. */
export function TimeToBreachNote({ device }: { device: Pick<Device, 'timeToBreach' | 'status'> }) {
  const { t } = useTranslation('devices')
  const now = useNow()
  const { timeToBreach } = device
  const isHeard = device.status === 'live' || device.status === 'late'
  if (timeToBreach?.state === 'notEnoughData' && isHeard)
    return <span className={frames.note}>{t('timeToBreach.notEnoughData')}</span>
  const forecast = forecastAt(timeToBreach, now)
  if (!forecast) return null
  const { limitC, minutes, low, high } = forecast
  const limit = `${formatNumber(limitC)} °C`
  return (
    <span className={classes.forecast} title={t('timeToBreach.hint')}>
      {minutes < 1 ? t('timeToBreach.now', { limit }) : t('timeToBreach.heading', { limit, minutes, low, high })}
    </span>
  )
}
