import type { Device } from '@isotherm/contract/devices.ts'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { StateDot } from '../../../ui/state-dot.tsx'
import classes from './devices.module.css'

/** How many alarms of the device wait for somebody, in the colour and shape of the worst; leads to them. */
export function OpenAlarms({ device: { name, openAlarms } }: { device: Device }) {
  const { t } = useTranslation('devices')
  if (!openAlarms) return null
  const { count, severity } = openAlarms
  return (
    <Link
      to="/alarms/triggered-alarms"
      search={{ search: name, state: 'open' }}
      className={classes.openAlarms}
      data-severity={severity}
      onClick={(event) => event.stopPropagation()}
    >
      <StateDot tone={severity === 'critical' ? 'warm' : 'warning'} label={t('openAlarms', { count })} />
      <span className="visually-hidden">, {t(`triggers:severity.${severity}`)}</span>
    </Link>
  )
}
