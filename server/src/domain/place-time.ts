import { endOfDay, instantOf, isShown } from '@isotherm/contract/zone-times.ts'

const hasOffset = /(?:Z|[+-]\d\d:?\d\d)$/

/** A time as it was given for a place; null where clocks of the zone never show it. A day alone is its last second. */
export function timeAtPlace(given: string, zone: string): Date | null {
  if (hasOffset.test(given)) return new Date(given)
  if (given.length === 10) return new Date(endOfDay(given, zone))
  return isShown(given, zone) ? new Date(instantOf(given, zone)) : null
}
