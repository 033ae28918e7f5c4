import type { AlarmMeasure, Condition } from './alarm-conditions.ts'

/** Half a degree, two points of humidity, five of charge: less is the sensor, or a door. Hundredths. */
const least: Record<AlarmMeasure, number> = { temperature: 50, humidity: 200, battery: 500 }

/**
 * How much farther from its limit a value must go than it was known to have gone when somebody resolved the trigger, for it to fire
 * again: more than the deadband of its alarm, and than a least amount. Null for places and silence, which do not get worse.
 */
export const worseBy = (condition: Condition): number | null =>
  condition.kind === 'value' ? Math.max(Math.abs(condition.limit - condition.normal), least[condition.measure]) : null

/** Whether a peak is so much worse. Hundredths; `known`: the peak when it was resolved. */
export const isWorse = (limit: number, known: number, peak: number, by: number): boolean =>
  Math.abs(peak - limit) - Math.abs(known - limit) > by
