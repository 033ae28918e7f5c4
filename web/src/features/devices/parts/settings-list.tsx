import type { Device } from '@isotherm/contract/devices.ts'
import { Paper } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { limitsText } from '../../../lib/limits-text.ts'
import { noValue } from '../../../lib/numbers.ts'
import { formatDuration } from '../../../lib/times.ts'
import frames from '../../../ui/frames.module.css'
import classes from './details.module.css'

/** The settings of those who may not change them. */
export function SettingsList({ device }: { device: Device }) {
  const { t } = useTranslation('devices')
  const { limits } = device
  const facts: [string, string][] = [
    [t('columns.name'), device.name],
    [t('columns.tag'), device.tag ?? noValue],
    [t('form.interval'), formatDuration(device.intervalS * 1000)],
    [t('form.visibility'), t(`visibility.${device.visibility}`)],
    [t('columns.temperature'), limitsText(limits.temperatureMinC, limits.temperatureMaxC, '°C')],
    [t('columns.humidity'), limitsText(limits.humidityMinPct, limits.humidityMaxPct, '%')],
  ]
  return (
    <Paper className={frames.panel} component="section" aria-label={t('tabs.settings')}>
      <dl className={classes.facts}>
        {facts.map(([label, value]) => (
          <div key={label} className={classes.fact}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Paper>
  )
}
