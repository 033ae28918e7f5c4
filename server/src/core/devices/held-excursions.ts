import type { Excursion } from '@isotherm/contract/excursions.ts'
import { type Custody, type Share, sharesOf } from '../../domain/custody.ts'
import type { Context } from '../../platform/context.ts'
import type { DeviceReader } from './device-reader.ts'

/** The excursions of a device that reach into a period, as the feature that owns them shows them. */
export type ExcursionSource = DeviceReader['excursions']

/** An excursion as far as it lies within the time of a custody, ms, with the part of it that each holder had the goods for. */
export interface HeldOutside<H> {
  excursion: Excursion
  outside: { from: number; to: number }
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
    if (shares.length > 0) yield { excursion, outside, shares }
  }
}
