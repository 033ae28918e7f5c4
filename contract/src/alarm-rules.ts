import { z } from 'zod'
import { Id, TimeZone } from './common.ts'

const celsius = z.number().min(-200).max(300).nullable().default(null)
const percent = z.number().min(0).max(100).nullable().default(null)
const minutes = (max: number) => z.number().int().min(0).max(max)
const ids = (max: number) => z.array(Id).max(max).default([])

const crossed = (min: number | null, max: number | null) => min !== null && max !== null && min >= max

export const cumulativeWindows = ['24h', 'record'] as const
/** How many minutes within each window a total may be; a day has 1,440, so that more than 1,439 is the most that can be. */
export const cumulativeMinutes = { '24h': 1439, record: 129_600 } as const

/** Fires by the time outside in total: more than `minutes` of it within any 24 h, or within a record that is running. */
export const Cumulative = z
  .strictObject({ minutes: z.number().int().min(1).max(cumulativeMinutes.record), window: z.enum(cumulativeWindows) })
  .refine(({ minutes, window }) => minutes <= cumulativeMinutes[window], {
    message: 'cumulativeDay',
    path: ['minutes'],
  })
export type Cumulative = z.infer<typeof Cumulative>

/** Above or below these it fires: a value on the limit does not. Degrees Celsius and percent; null is no limit. */
export const ValueRule = z
  .strictObject({
    kind: z.literal('value'),
    temperatureMinC: celsius,
    temperatureMaxC: celsius,
    humidityMinPct: percent,
    humidityMaxPct: percent,
    batteryMinPct: percent,
    batteryMaxPct: percent,
    /** How long it must last, by the device's clock. */
    delayMinutes: minutes(1440).default(0),
    /** Counts the minutes beyond each limit in total instead of those in a row; for temperature and humidity. */
    cumulative: Cumulative.nullable().default(null),
    /** How far back inside the limit the value must come to be normal again. */
    deadbandC: z.number().min(0).max(50).default(0),
    deadbandPct: z.number().min(0).max(50).default(0),
  })
  .refine((rule) => !crossed(rule.temperatureMinC, rule.temperatureMaxC), {
    message: 'limitsCrossed',
    path: ['temperatureMaxC'],
  })
  .refine((rule) => !crossed(rule.humidityMinPct, rule.humidityMaxPct), {
    message: 'limitsCrossed',
    path: ['humidityMaxPct'],
  })
  .refine((rule) => !crossed(rule.batteryMinPct, rule.batteryMaxPct), {
    message: 'limitsCrossed',
    path: ['batteryMaxPct'],
  })
  .refine(
    (rule) =>
      [
        rule.temperatureMinC,
        rule.temperatureMaxC,
        rule.humidityMinPct,
        rule.humidityMaxPct,
        rule.batteryMinPct,
        rule.batteryMaxPct,
      ].some((limit) => limit !== null),
    { message: 'oneLimitNeeded', path: ['temperatureMaxC'] },
  )
  .refine((rule) => !rule.cumulative || rule.delayMinutes === 0, {
    message: 'cumulativeWithDelay',
    path: ['delayMinutes'],
  })
  .refine((rule) => !rule.cumulative || rule.batteryMinPct === null, {
    message: 'cumulativeBattery',
    path: ['batteryMinPct'],
  })
  .refine((rule) => !rule.cumulative || rule.batteryMaxPct === null, {
    message: 'cumulativeBattery',
    path: ['batteryMaxPct'],
  })

/** A device that comes into (or goes out of) one of the places and stays so for `dwellMinutes`. */
export const FenceRule = z
  .strictObject({
    kind: z.literal('fence'),
    direction: z.enum(['in', 'out', 'both']),
    geofenceIds: ids(50),
    pointOfInterestIds: ids(50),
    dwellMinutes: minutes(10_080).default(0),
  })
  .refine((rule) => rule.geofenceIds.length + rule.pointOfInterestIds.length > 0, {
    message: 'onePlaceNeeded',
    path: ['geofenceIds'],
  })

/** A device that sends nothing for so long. Flight mode, pause and power off mute it. */
export const NoDataRule = z.strictObject({
  kind: z.literal('noData'),
  afterMinutes: z.number().int().min(5).max(10_080),
})

export const AlarmRule = z.discriminatedUnion('kind', [ValueRule, FenceRule, NoDataRule])
export type AlarmRule = z.infer<typeof AlarmRule>
export type ValueRule = z.infer<typeof ValueRule>
export type FenceRule = z.infer<typeof FenceRule>
export type NoDataRule = z.infer<typeof NoDataRule>

const TimeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'timeOfDay')

/** When the alarm is armed, by local time. `to` at or before `from` reaches into the next day; alike is the whole day. */
export const AlarmSchedule = z.strictObject({
  zone: TimeZone,
  /** 1 is Monday. The day on which the armed stretch begins. */
  days: z.array(z.number().int().min(1).max(7)).min(1).max(7),
  from: TimeOfDay,
  to: TimeOfDay,
})
export type AlarmSchedule = z.infer<typeof AlarmSchedule>

export const conditionNames = [
  'temperatureMin',
  'temperatureMax',
  'humidityMin',
  'humidityMax',
  'batteryMin',
  'batteryMax',
  'noData',
  'in',
  'out',
] as const
/** Which part of the rule fired. */
export const ConditionName = z.enum(conditionNames)
export type ConditionName = z.infer<typeof ConditionName>

export const Severity = z.enum(['warning', 'critical'])
export type Severity = z.infer<typeof Severity>

export const alarmLimits = {
  targets: 1000,
  recipients: 100,
  snoozeDays: 7,
  noteLength: 2000,
  comments: 200,
  outsideShown: 50,
} as const

type Targets = { deviceIds?: string[]; groupIds?: string[] }
/** An alarm watches at least one device or group. */
export const someTarget = (alarm: Targets) => (alarm.deviceIds?.length ?? 0) + (alarm.groupIds?.length ?? 0) > 0
export const targetNeeded = { message: 'oneTargetNeeded', path: ['deviceIds'] }
