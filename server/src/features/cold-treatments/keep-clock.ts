import { type TreatmentClock, treatmentLimits } from '@isotherm/contract/cold-treatments.ts'
import { breaksOf, type ColdClock, forecastOf, leftOf, type Peak } from '../../domain/cold-treatment.ts'
import { fromCenti } from '../../domain/measures.ts'

/** A clock as it is kept and answered. */
export type KeptClock = TreatmentClock

const iso = (at: number) => new Date(at).toISOString()
const isoOr = (at: number | null) => (at === null ? null : iso(at))
const peak = ({ probeId, celsius, hour }: Peak) => ({
  ...{ deviceId: String(probeId), celsius: fromCenti(celsius), at: iso(hour) },
})
const peakOr = (one: Peak | null) => one && peak(one)
const ids = (all: readonly number[]) => all.map(String)

/** A clock of the domain in °C and instants; of long lists the newest. */
export function keptClock(clock: ColdClock, until: number): KeptClock {
  const { chosen, interruptions } = clock
  const { row, warmest, unproven } = chosen
  return {
    state: clock.state,
    row: { maxC: fromCenti(row.maxC), days: row.days },
    ...{ startedAt: isoOr(chosen.startedAt), provenAt: isoOr(chosen.provenAt) },
    ...{ requiredMs: chosen.requiredMs, provenMs: chosen.provenMs, elapsedMs: chosen.elapsedMs },
    ...{ leftMs: leftOf(chosen), knownUntil: iso(chosen.knownUntil), forecastAt: isoOr(forecastOf(chosen, until)) },
    ...{ limiting: peakOr(warmest), marginC: warmest && fromCenti(row.maxC - warmest.celsius) },
    unproven: unproven.slice(-treatmentLimits.listed).map(({ reason, probeId, from, to, isOpen }) => ({
      ...{ reason, deviceId: String(probeId), from: iso(from), to: iso(to), isOpen },
    })),
    unprovenCount: unproven.length,
    interruptions: interruptions.slice(-treatmentLimits.listed).map(peak),
    interruptionCount: interruptions.length,
    ...{ waitsFor: peakOr(clock.waitsFor), silent: ids(clock.silent), missingProbes: clock.missingProbes },
    ...{ tooColdHours: clock.tooColdHours, coldest: peakOr(clock.coldest), notPrecooled: ids(clock.notPrecooled) },
    ...{ toReplace: ids(clock.toReplace), warmAfter: peakOr(clock.warmAfter) },
    breaks: breaksOf(clock).map(({ aboveC, ...rest }) => ({ aboveC: fromCenti(aboveC), ...rest })),
  }
}
