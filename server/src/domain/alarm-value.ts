import type { ValueCondition } from './alarm-conditions.ts'
import type { Sample } from './alarm-firing.ts'

/** The effect of a value on a condition; a value on the limit is inside. Unarmed readings begin nothing and hold nothing up. */
export function valueSample(
  { side, limit, normal, delayMs }: ValueCondition,
  point: { at: number; value: number },
  holdMs: number,
  isArmed: boolean,
): Sample {
  const { at, value } = point
  const isAbove = side === 'above'
  const isOutside = isAbove ? value > limit : value < limit
  return {
    at,
    since: at,
    starts: isOutside && isArmed,
    holds: isOutside && isArmed,
    isNormal: isAbove ? value <= normal : value >= normal,
    value,
    isFarther: (peak) => (isAbove ? value > peak : value < peak),
    holdMs,
    delayMs,
  }
}
