import type { Excursion } from '@isotherm/contract/excursions.ts'
import { type Custody, type Share, sharesOf } from '../../domain/custody.ts'
import { fromCenti } from '../../domain/measures.ts'
import type { Context } from '../../platform/context.ts'
import type { DeviceReader } from './device-reader.ts'
import { peakWithin } from './peak-queries.ts'

/** The excursions of a device that reach into a period, as the feature that owns them shows them. */
export type ExcursionSource = DeviceReader['excursions']

/** An excursion as far as it lies within the time of a custody, ms, with the part of it that each holder had the goods for. */
export interface HeldOutside<H> {
  excursion: Excursion
  outside: { from: number; to: number }
  /** The value farthest outside within that time; null: it is not told. */
  peak: number | null
  shares: Share<H>[]
}

/** The excursions of a device within stretches of custody that follow one another, and within what counts of it. */
export async function* heldExcursions<H>(
  ctx: Context,
  excursionsOf: ExcursionSource,
  deviceId: string,
  custody: readonly Custody<H, unknown>[],
  counted: { from: number; to: number } = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY },
): AsyncGenerator<HeldOutside<H>> {
  const [first, last] = [custody[0], custody.at(-1)]
  if (!first || !last) return
  const span = { from: Math.max(first.from, counted.from), to: Math.min(last.to, counted.to) }
  if (span.from > span.to) return
  const period = { from: new Date(span.from).toISOString(), to: new Date(span.to).toISOString() }
  for await (const excursion of excursionsOf(ctx, deviceId, period)) {
    const start = Date.parse(excursion.startAt)
    const end = excursion.endAt ? Date.parse(excursion.endAt) : start + excursion.durationMs
    const outside = { from: Math.max(start, span.from), to: Math.min(end, span.to) }
    const shares = sharesOf(custody, outside)
    if (shares.length > 0) yield { excursion, outside, shares, peak: await peakDuring(ctx, excursion, outside) }
  }
}

/** The peak of an excursion, unless it is of another time. */
async function peakDuring(ctx: Context, { id, peak, peakAt }: Excursion, outside: { from: number; to: number }) {
  if (peak === null || peakAt === null) return null
  const at = Date.parse(peakAt)
  if (at >= outside.from && at <= outside.to) return peak
  const within = await peakWithin(ctx, id, outside)
  return within === null ? peak : fromCenti(within)
}
