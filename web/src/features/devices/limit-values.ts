import {
  type LimitPreset,
  type Limits,
  type LimitsChange,
  limitPresets,
  presetNames,
} from '@isotherm/contract/device-limits.ts'

/** The four limits as fields hold them: empty text is no limit. */
export interface LimitValues {
  temperatureMinC: number | ''
  temperatureMaxC: number | ''
  humidityMinPct: number | ''
  humidityMaxPct: number | ''
}

const keys = ['temperatureMinC', 'temperatureMaxC', 'humidityMinPct', 'humidityMaxPct'] as const

export const valuesOf = (limits: Limits): LimitValues => ({
  temperatureMinC: limits.temperatureMinC ?? '',
  temperatureMaxC: limits.temperatureMaxC ?? '',
  humidityMinPct: limits.humidityMinPct ?? '',
  humidityMaxPct: limits.humidityMaxPct ?? '',
})

const limitsOf = (values: LimitValues): Limits => ({
  temperatureMinC: values.temperatureMinC === '' ? null : values.temperatureMinC,
  temperatureMaxC: values.temperatureMaxC === '' ? null : values.temperatureMaxC,
  humidityMinPct: values.humidityMinPct === '' ? null : values.humidityMinPct,
  humidityMaxPct: values.humidityMaxPct === '' ? null : values.humidityMaxPct,
})

export const sameLimits = (a: Limits, b: Limits): boolean => keys.every((key) => a[key] === b[key])

/** The preset these limits are, or 'own'. */
export function presetOf(limits: Limits): LimitPreset | 'own' {
  return presetNames.find((name) => sameLimits(limitPresets[name], limits)) ?? 'own'
}

export const presetOfValues = (values: LimitValues): LimitPreset | 'own' => presetOf(limitsOf(values))

/** The body: the preset by its name where the values are one's. */
export function limitsChange(values: LimitValues): LimitsChange {
  const limits = limitsOf(values)
  const preset = presetOf(limits)
  return preset === 'own' ? limits : { preset }
}
