import { type Crossing, isWanted, type KnownCrossing, newCrossings } from '../../domain/place-crossings.ts'
import type { Batch } from '../batch.ts'
import type { DeviceState } from './device-state.ts'
import { holdAt, lastFix } from './load-alarms.ts'

/** Leaves to the batch what people are to hear of the crossings that were found. */
export function noteCrossings(batch: Batch, state: DeviceState, found: readonly Crossing[]): void {
  for (const crossing of found) {
    if (!isWanted(crossing)) continue
    const { device } = state
    const fix = state.alarms.watch.sides.get(crossing.place.fence.key)?.fix ?? lastFix(state)
    const isLate = batch.now - crossing.at > Math.max(holdAt(state, crossing.at), 60_000)
    const position = fix && !isLate ? { lat: fix.lat, lon: fix.lon } : null
    batch.crossings.push({ ...crossing, device, position, isLate })
  }
}

const knownSql = `
select fence, direction, (extract(epoch from at) * 1000)::float8 as at from place_crossings
where company_id = $1 and device_id = $2 and at >= $3::timestamptz order by at`

/** The same for a past that was judged again since `from`: what is on record is not told again. */
export async function noteLateCrossings(batch: Batch, state: DeviceState, found: readonly Crossing[], from: number) {
  if (found.length === 0) return
  const values = [state.device.companyId, state.device.id, new Date(from)]
  const { rows } = await batch.client.query<KnownCrossing>({ name: 'known_crossings', text: knownSql, values })
  noteCrossings(batch, state, newCrossings(found, rows, from))
}
