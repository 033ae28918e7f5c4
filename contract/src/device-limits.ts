import { z } from 'zod'

export const Judgement = z.enum(['inRange', 'above', 'below'])
export type Judgement = z.infer<typeof Judgement>
export const Measure = z.enum(['temperature', 'humidity'])
export type Measure = z.infer<typeof Measure>

const celsius = z.number().nullable()
const percent = z.number().nullable()

/** Limits in degrees Celsius and percent; null is no limit, and a value on a limit is inside. */
export const Limits = z.object({
  temperatureMinC: celsius,
  temperatureMaxC: celsius,
  humidityMinPct: percent,
  humidityMaxPct: percent,
})
export type Limits = z.infer<typeof Limits>

const none: Limits = { temperatureMinC: null, temperatureMaxC: null, humidityMinPct: null, humidityMaxPct: null }
/** The usual ranges of goods. Texts: locales, `devices:presets.<name>`. */
export const limitPresets = {
  refrigerated: { ...none, temperatureMinC: 2, temperatureMaxC: 8 },
  roomTemperature: { ...none, temperatureMinC: 15, temperatureMaxC: 25 },
  frozen: { ...none, temperatureMinC: -25, temperatureMaxC: -15 },
  ultraCold: { ...none, temperatureMinC: -90, temperatureMaxC: -60 },
  freshProduce: { temperatureMinC: 0, temperatureMaxC: 4, humidityMinPct: 85, humidityMaxPct: 98 },
  none,
} as const satisfies Record<string, Limits>
export const presetNames = Object.keys(limitPresets) as [keyof typeof limitPresets, ...(keyof typeof limitPresets)[]]
export const LimitPreset = z.enum(presetNames)
export type LimitPreset = z.infer<typeof LimitPreset>

const temperature = z.number().min(-200).max(300).nullable().optional()
const humidity = z.number().min(0).max(100).nullable().optional()
const crossed = (min: number | null | undefined, max: number | null | undefined) =>
  min !== null &&
  min !== undefined &&
  max !== null &&
  max !== undefined &&
  Math.round(min * 100) >= Math.round(max * 100)

/** Replaces all four limits: by a preset, or by own values, where what is left out is no limit. */
export const LimitsChange = z
  .strictObject({
    preset: LimitPreset.optional(),
    temperatureMinC: temperature,
    temperatureMaxC: temperature,
    humidityMinPct: humidity,
    humidityMaxPct: humidity,
  })
  .refine((value) => !crossed(value.temperatureMinC, value.temperatureMaxC), {
    message: 'limitsCrossed',
    path: ['temperatureMaxC'],
  })
  .refine((value) => !crossed(value.humidityMinPct, value.humidityMaxPct), {
    message: 'limitsCrossed',
    path: ['humidityMaxPct'],
  })
  .refine((value) => !value.preset || Object.keys(value).length === 1, { message: 'presetOrOwn', path: ['preset'] })
export type LimitsChange = z.infer<typeof LimitsChange>

/** The four limits a change means; those left out are none. */
export const limitsOf = ({ preset, ...own }: LimitsChange): Limits =>
  preset
    ? limitPresets[preset]
    : {
        temperatureMinC: own.temperatureMinC ?? null,
        temperatureMaxC: own.temperatureMaxC ?? null,
        humidityMinPct: own.humidityMinPct ?? null,
        humidityMaxPct: own.humidityMaxPct ?? null,
      }

/** How a value stands to two limits: null without a value or without any limit. */
export function judgementOf(value: number | null, min: number | null, max: number | null): Judgement | null {
  if (value === null || (min === null && max === null)) return null
  if (max !== null && value > max) return 'above'
  return min !== null && value < min ? 'below' : 'inRange'
}
