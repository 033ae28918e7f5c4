import type { Words } from './words.ts'

/** Round values from a little below `least` to a little above `most`, about six of them. */
export function niceSteps(least: number, most: number, leastMargin = 0.4) {
  const margin = Math.max((most - least) * 0.06, leastMargin)
  const rough = (most - least + 2 * margin) / 5
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = ([1, 2, 2.5, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power
  const low = Math.floor((least - margin) / step) * step
  const count = Math.ceil((most + margin - low) / step)
  const decimals = Math.max(
    0,
    ...[1, 2, 3].filter((places) => Math.abs(step * 10 ** (places - 1) - Math.round(step * 10 ** (places - 1))) > 1e-9),
  )
  const values = Array.from({ length: count + 1 }, (_, index) => low + index * step)
  return { low, high: low + count * step, values, decimals }
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const stepsMs = [hourMs / 4, hourMs / 2, hourMs, 2 * hourMs, 3 * hourMs, 6 * hourMs, 12 * hourMs]
const steps = [...stepsMs, ...[1, 2, 4, 7, 14, 30, 60, 120].map((days) => days * dayMs)]

/** At most nine instants at which the clocks of the zone show a round time, with what they show. */
export function timeSteps(
  { clock, date, dayAndClock }: Pick<Words, 'clock' | 'date' | 'dayAndClock'>,
  from: number,
  to: number,
): { at: number; text: string }[] {
  const step = steps.find((size) => (to - from) / size <= 8) ?? Math.ceil((to - from) / 8 / dayMs) * dayMs
  const found: { at: number; text: string }[] = []
  for (let wall = Math.ceil(clock.wallAt(from) / step) * step; ; wall += step) {
    const at = clock.instantAt(wall)
    if (at > to) return found
    if (at >= from) found.push({ at, text: (step >= dayMs ? date : dayAndClock)(at) })
  }
}

/** Where the words beside an upright line begin: right of it, or left of it where the sheet would cut them off. */
export const besideLine = (line: number, width: number, right: number): number =>
  line + 2 + width <= right - 2 ? line + 2 : line - 2 - width
