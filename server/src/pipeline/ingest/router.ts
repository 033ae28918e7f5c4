import { monthsBefore } from '../../domain/retention.ts'
import type { InboundMessage, Part } from '../batch.ts'
import { deviceAt } from './device.ts'
import { type Ack, type Reading, type Refused, refusal } from './inbound-message.ts'

/** Which instants are accepted, relative to now. */
export interface Window {
  maxAgeMonths: number
  maxAheadHours: number
}

/** The oldest instant accepted, ms since 1970. */
export const oldest = (window: Window, now: number): number =>
  monthsBefore(new Date(now), window.maxAgeMonths).getTime()

/**
 * Sorts what a device sent into one part per lane: each reading with the device that owned its probe at its time. What is
 * outside the window, or nobody's, joins what the decoder refused, in the first part.
 */
export function route(
  message: InboundMessage,
  content: { readings: readonly Reading[]; refused: readonly Refused[]; acks: readonly Ack[] },
  window: Window,
  arrivals: Arrivals,
): Map<number, Part> {
  const parts = new Map<number, Part>()
  const refused = [...content.refused]
  const { tracker, receivedAt } = message
  const earliest = oldest(window, receivedAt)
  const last = receivedAt + window.maxAheadHours * 3_600_000
  for (const reading of content.readings) {
    const at = reading.measuredAt ?? arrivals.next(tracker.imei, receivedAt)
    const device = deviceAt(tracker, reading.probe, at)
    if (at < earliest) refused.push(refusal(reading.index, 'TOO_OLD', reading.raw, { months: window.maxAgeMonths }, at))
    else if (at > last)
      refused.push(refusal(reading.index, 'TOO_FAR_AHEAD', reading.raw, { hours: window.maxAheadHours }, at))
    else if (!device)
      refused.push({ ...refusal(reading.index, 'NOT_ASSIGNED', reading.raw, { probe: reading.probe }, at), reading })
    else {
      const part = partOf(parts, device.lane, message)
      part.rows.push({ part, reading, device, at })
    }
  }
  if (refused.length + content.acks.length > 0 || parts.size === 0) {
    const part = parts.values().next().value ?? partOf(parts, 0, message)
    part.refused.push(...refused)
    part.acks.push(...content.acks)
  }
  return parts
}

function partOf(parts: Map<number, Part>, lane: number, message: InboundMessage): Part {
  const known = parts.get(lane)
  if (known) return known
  const part: Part = { message, tracker: message.tracker, rows: [], refused: [], acks: [], windows: [], ticks: [] }
  parts.set(lane, part)
  return part
}

const maxRemembered = 100_000
// Far more readings than arrive within it; beyond it, it was the clock that was ahead and has been set right.
const maxAheadMs = 10 * 60_000

/** Readings without a time get the time of arrival, no two of a tracker the same one. */
export class Arrivals {
  readonly #last = new Map<string, number>()

  /** An instant for a reading that arrived at `now`, ms since 1970. */
  next(imei: string, now: number): number {
    const next = (this.#last.get(imei) ?? 0) + 1
    const at = next > now && next < now + maxAheadMs ? next : now
    if (this.#last.size >= maxRemembered) this.#last.clear()
    this.#last.set(imei, at)
    return at
  }
}
