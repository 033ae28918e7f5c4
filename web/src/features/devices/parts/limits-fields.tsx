import { limitPresets, presetNames } from '@isotherm/contract/device-limits.ts'
import { Group, Select, Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { limitsText } from '../../../lib/limits-text.ts'
import { AmountInput } from '../../../ui/amount-input.tsx'
import { type LimitValues, presetOfValues, valuesOf } from '../limit-values.ts'

interface LimitsFieldsProps {
  values: LimitValues
  onChange: (values: LimitValues) => void
  /** By path, such as `limits.temperatureMaxC`. */
  errors: Record<string, React.ReactNode>
}

/** A preset, or own limits; what is left empty is no limit. */
export function LimitsFields({ values, onChange, errors }: LimitsFieldsProps) {
  const { t } = useTranslation('devices')
  const preset = presetOfValues(values)
  const label = (name: (typeof presetNames)[number]) => {
    const { temperatureMinC, temperatureMaxC } = limitPresets[name]
    const range =
      temperatureMinC === null && temperatureMaxC === null
        ? ''
        : ` (${limitsText(temperatureMinC, temperatureMaxC, '°C')})`
    return `${t(`presets.${name}`)}${range}`
  }
  const number = (key: keyof LimitValues, unit: string, least: number, most: number) => (
    <AmountInput
      style={{ flex: 1 }}
      label={t(`limits.${key}`)}
      unit={unit}
      decimalScale={2}
      min={least}
      max={most}
      value={values[key]}
      onChange={(value) => onChange({ ...values, [key]: value })}
      error={errors[`limits.${key}`]}
      data-path={`limits.${key}`}
    />
  )
  return (
    <Stack gap="sm">
      <Select
        label={t('limits.preset')}
        allowDeselect={false}
        data={[
          ...presetNames.map((value) => ({ value: value as string, label: label(value) })),
          { value: 'own', label: t('presets.own'), disabled: preset !== 'own' },
        ]}
        value={preset}
        onChange={(name) => {
          const chosen = presetNames.find((each) => each === name)
          if (chosen) onChange(valuesOf(limitPresets[chosen]))
        }}
        error={errors['limits.preset'] ?? errors.limits}
      />
      <Group gap="sm" align="flex-start" wrap="nowrap">
        {number('temperatureMinC', '°C', -200, 300)}
        {number('temperatureMaxC', '°C', -200, 300)}
      </Group>
      <Group gap="sm" align="flex-start" wrap="nowrap">
        {number('humidityMinPct', '%', 0, 100)}
        {number('humidityMaxPct', '%', 0, 100)}
      </Group>
    </Stack>
  )
}
