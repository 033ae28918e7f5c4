import { IconBattery1, IconBattery2, IconBattery3, IconBattery4, IconBatteryOff } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Value } from '../../../ui/value.tsx'
import classes from './devices.module.css'

const lowPct = 20

/** Battery as a picture and a number; amber below 20 %. */
export function Battery({ percent }: { percent: number | null | undefined }) {
  const { t } = useTranslation('devices')
  if (percent === null || percent === undefined)
    return <Value value={null} unit="%" reason={t('noValue.notMeasured')} />
  const Icon =
    percent < 5
      ? IconBatteryOff
      : percent < 30
        ? IconBattery1
        : percent < 55
          ? IconBattery2
          : percent < 80
            ? IconBattery3
            : IconBattery4
  const isLow = percent < lowPct
  return (
    <span className={classes.battery} data-low={isLow || undefined}>
      <Icon size={18} stroke={1.6} aria-hidden="true" />
      <Value value={percent} unit="%" decimals={0} tone={isLow ? 'warning' : undefined} />
      {isLow && <span className="visually-hidden">{t('batteryLow')}</span>}
    </span>
  )
}
