import type { Chart } from '@isotherm/contract/device-history.ts'
import type { Correction } from '@isotherm/contract/places.ts'

/** A stretch of the scrubber; `start` and `width` from 0 to 1. */
export interface Mark {
  start: number
  width: number
}
export interface PlaybackMarks {
  from: number
  to: number
  excursions: (Mark & { side: 'above' | 'below'; at: number })[]
  stops: (Mark & { at: number; durationMs: number; placeName: string | null })[]
  /** Temperature as an SVG path in a box of 1000 by 100; empty without any. */
  line: string
  temperatureAt(at: number): number | null
}

interface MarksInput {
  from: number
  to: number
  chart: Chart | undefined
  stops: Correction['stops']
}

/** The marks of the scrubber for a journey from `from` to `to`, ms. */
export function playbackMarks({ from, to, chart, stops }: MarksInput): PlaybackMarks {
  const share = (at: number) => Math.min(1, Math.max(0, (at - from) / (to - from)))
  const mark = (start: number, end: number): Mark => ({ start: share(start), width: share(end) - share(start) })
  const { atMs = [], temperature } = chart ?? {}
  const values = temperature?.avg ?? []
  return {
    from,
    to,
    excursions: (chart?.excursions ?? [])
      .filter(({ measure }) => measure === 'temperature')
      .map(({ startAt, endAt, side }) => ({
        ...mark(Date.parse(startAt), endAt === null ? to : Date.parse(endAt)),
        at: Date.parse(startAt),
        side,
      }))
      .filter(({ start, width }) => width > 0 || (start > 0 && start < 1)),
    stops: stops.map((stop) => ({
      ...mark(Date.parse(stop.from), Date.parse(stop.to)),
      at: Date.parse(stop.from),
      durationMs: Date.parse(stop.to) - Date.parse(stop.from),
      placeName: stop.placeName,
    })),
    line: lineOf(atMs, values, from, to),
    temperatureAt: (at) => nearest(atMs, values, at),
  }
}

function lineOf(atMs: readonly number[], values: readonly (number | null)[], from: number, to: number): string {
  const known = values.filter((value) => value !== null)
  if (known.length === 0) return ''
  const [low, high] = [Math.min(...known), Math.max(...known)]
  const scale = high > low ? 96 / (high - low) : 0
  let pen = 'M'
  return atMs
    .map((at, i) => {
      const value = values[i]
      if (value === null || value === undefined || at < from || at > to) {
        pen = 'M'
        return ''
      }
      const point = `${pen}${(((at - from) / (to - from)) * 1000).toFixed(1)} ${(98 - (value - low) * scale).toFixed(1)}`
      pen = 'L'
      return point
    })
    .join('')
}

/** The value measured nearest to an instant; null where the device was silent. */
function nearest(atMs: readonly number[], values: readonly (number | null)[], at: number): number | null {
  let low = 0
  let high = atMs.length - 1
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if ((atMs[middle] ?? 0) <= at) low = middle
    else high = middle
  }
  const index = Math.abs((atMs[high] ?? 0) - at) < Math.abs((atMs[low] ?? 0) - at) ? high : low
  return values[index] ?? null
}
