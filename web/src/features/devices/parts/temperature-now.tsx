import type { Device } from '@isotherm/contract/devices.ts'
import { useTranslation } from 'react-i18next'
import { judgedPercentDecimals, temperatureDecimals } from '../../../lib/numbers.ts'
import { Value } from '../../../ui/value.tsx'
import { alarmTone } from '../device-state.ts'

/** The number people came for. */
export function TemperatureNow({ device, size }: { device: Device; size: 'lg' | 'xl' }) {
  const { t } = useTranslation('devices')
  const value = device.latest?.temperatureC
  return (
    <Value
      value={value}
      unit="°C"
      decimals={value === null || value === undefined ? undefined : temperatureDecimals(value)}
      size={size}
      tone={alarmTone(device.judgement.temperature, device.status)}
      reason={t(device.latest ? 'noValue.notMeasured' : 'noValue.noReading')}
    />
  )
}

export function HumidityNow({ device, size }: { device: Device; size: 'sm' | 'lg' | 'xl' }) {
  const { t } = useTranslation('devices')
  const { humidityMinPct: min, humidityMaxPct: max } = device.limits
  const value = device.latest?.humidityPct
  return (
    <Value
      value={value}
      unit="%"
      decimals={judgedPercentDecimals(value ?? 0, { min, max })}
      size={size}
      tone={alarmTone(device.judgement.humidity, device.status)}
      reason={t(device.latest ? 'noValue.notMeasured' : 'noValue.noReading')}
    />
  )
}
