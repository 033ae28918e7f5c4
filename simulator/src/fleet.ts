import { ghana } from './fleets/ghana.ts'
import { kenya } from './fleets/kenya.ts'
import { nigeria } from './fleets/nigeria.ts'
import { southAfrica } from './fleets/south-africa.ts'
import { hashKey } from './random.ts'
import type { TrackerSpec } from './spec.ts'

/** Where the fleet lives. A tracker's place in its list is part of its IMEI: append, do not insert. */
const countries = [nigeria, kenya, ghana, southAfrica] as const

/** The whole fleet. The same seed gives the same trackers with the same lives; another seed gives others. */
export function fleet(seed: string): TrackerSpec[] {
  return countries.flatMap(({ country, timeZone, plans }, index) =>
    plans.map((plan, at) => ({
      visibility: 'public',
      licenceMonths: 12,
      probes: [{ probe: 1, name: plan.name, limits: plan.limits }],
      ...plan,
      imei: imeiOf(seed, index * 25 + at),
      country,
      timeZone,
      seed,
    })),
  )
}

/** Type allocation code, a serial number from seed and place in the list, and the check digit. */
function imeiOf(seed: string, index: number): string {
  const digits = `35880011${((hashKey(seed, 'imei') % 9000) + 1000) * 100 + index + 1}`
  return `${digits}${luhnDigit(digits)}`
}

/** The 15th digit of an IMEI (3GPP TS 23.003, annex B). */
export function luhnDigit(digits: string): number {
  let sum = 0
  for (const [index, digit] of [...digits].reverse().entries()) {
    const weighted = index % 2 === 0 ? Number(digit) * 2 : Number(digit)
    sum += weighted > 9 ? weighted - 9 : weighted
  }
  return (10 - (sum % 10)) % 10
}
