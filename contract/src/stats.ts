import { z } from 'zod'
import { get, post } from './call.ts'
import { Id, Imei, Instant, Period, periodWith } from './common.ts'
import { Judgement } from './device-limits.ts'

const Ms = z.number()
/** When it was first reached, and how it stood to the limits of that time; null without any. */
const Extreme = z.object({ value: z.number(), at: Instant, judgement: Judgement.nullable() })
/** The part of an excursion that lies within the period; `startAt` is that of the whole excursion. */
const Part = z.object({ id: Id, startAt: Instant, ms: Ms })

/**
 * `outOfRange`: at least one excursion; `incomplete`: none in what was measured, but there are gaps, or readings without
 * limits; `noLimits`: nothing to judge by; `noData`: nothing measured.
 */
export const Verdict = z.enum(['inRange', 'incomplete', 'outOfRange', 'noLimits', 'noData'])
export type Verdict = z.infer<typeof Verdict>

/** Whether a verdict by the devices that a person sees proves that nothing left its limits: a device that they do not see may tell otherwise. */
export const provesInRange = ({
  verdict,
  hiddenDevices,
}: {
  verdict: Verdict | null
  hiddenDevices: number
}): boolean => verdict === 'inRange' && hiddenDevices === 0

/** USP <1079.2>: time-weighted, with the activation energy it was worked out with. */
export const MeanKinetic = z.object({
  /** Degrees Celsius; null with a reason. */
  valueC: z.number().nullable(),
  /** `frozen`: the limits of the period include a frozen range, for which it says nothing. */
  reason: z.enum(['frozen', 'noData']).nullable(),
  activationKjPerMol: z.number(),
})
export type MeanKinetic = z.infer<typeof MeanKinetic>

/**
 * One measure through a period, exactly as its raw readings have it; degrees Celsius or percent, unrounded. A reading
 * holds until the next one, at most 3 intervals. `aboveMs + belowMs + withinMs + unjudgedMs` is the time covered.
 */
export const MeasureStats = z.object({
  /** Readings in the period. */
  count: z.number().int(),
  /** Share of the period for which a reading held; null of a period without length. */
  coveragePct: z.number().nullable(),
  coveredMs: Ms,
  /** The longest time within the period without a reading. */
  longestGap: z.object({ from: Instant, to: Instant, ms: Ms }).nullable(),
  min: Extreme.nullable(),
  max: Extreme.nullable(),
  /** Mean of the readings. */
  average: z.number().nullable(),
  /** Null for humidity. */
  mkt: MeanKinetic.nullable(),
  aboveMs: Ms,
  belowMs: Ms,
  withinMs: Ms,
  /** Time of readings for which there were no limits. */
  unjudgedMs: Ms,
  /** Those that reach into the period. */
  excursions: z.object({ count: z.number().int(), longest: Part.nullable(), shortest: Part.nullable() }),
  verdict: Verdict,
})
export type MeasureStats = z.infer<typeof MeasureStats>

export const StatsPeriod = z.object({
  from: Instant,
  /** Not after now, nor after the readings a lapsed licence hides. */
  to: Instant,
})
const StatsDevice = z.object({ id: Id, name: z.string(), imei: z.string(), probe: z.number().int() })

export const StatsOfImei = z.object({ device: StatsDevice, period: StatsPeriod, stats: MeasureStats })
export type StatsOfImei = z.infer<typeof StatsOfImei>

export const StatsOfDevice = z.object({ period: StatsPeriod, temperature: MeasureStats, humidity: MeasureStats })
export type StatsOfDevice = z.infer<typeof StatsOfDevice>

export const StatsOfDevices = z.object({
  data: z.array(StatsOfDevice.extend({ device: StatsDevice })),
  /** IMEIs of no device that the caller may see. */
  unknown: z.array(z.string()),
})

const probe = z.coerce.number().int().min(1).max(16).optional()
/** Which probe of hardware with several; left out, the lowest in use. */
const OfProbe = z.strictObject({ probe })

const lastDay = (measure: string) => ({
  needs: 'devices.view' as const,
  readsMany: true as const,
  summary: `Statistics of ${measure} of the last 24 hours, of the device with this IMEI now or before`,
  query: OfProbe,
  returns: StatsOfImei,
})
const ofPeriod = (measure: string) => ({
  ...lastDay(measure),
  summary: `Statistics of ${measure} of a period, of the device with this IMEI now or before`,
  body: Period,
  readOnly: true,
})

export const stats = {
  temperature: get('/stats/temperature/:imei', lastDay('temperature')),
  temperatureOf: post('/stats/temperature/:imei', ofPeriod('temperature')),
  humidity: get('/stats/humidity/:imei', lastDay('humidity')),
  humidityOf: post('/stats/humidity/:imei', ofPeriod('humidity')),
  devices: post('/getDeviceStats', {
    needs: 'devices.view',
    readsMany: true,
    summary: 'Statistics of several devices at once',
    body: periodWith({ imei: z.array(Imei).min(1).max(50) }),
    returns: StatsOfDevices,
    readOnly: true,
  }),
  device: get('/devices/:id/stats', {
    needs: 'devices.view',
    readsMany: true,
    summary: 'Statistics of a period of one device',
    query: Period,
    returns: StatsOfDevice,
  }),
}
