import type { FenceArea } from '@isotherm/contract/places.ts'
import { boundsOf, isInside } from '../../domain/fences.ts'
import type { Client } from '../../platform/db/pool.ts'
import { type DueRecord, type Fix, fixesAround } from './sweep-queries.ts'

/**
 * When the first of a record's devices came into its destination, by the fixes since an instant; null: none has. Who was
 * inside when that time began must have left first: what came in earlier was seen earlier. Only fixes in the destination's
 * bounds leave the database, and the first ones after them.
 */
export async function arrivalOf(client: Client, record: DueRecord, since: Date, now: Date): Promise<Date | null> {
  const { area } = record
  if (!area) return null
  const from = new Date(Math.max(record.startAt.getTime(), since.getTime()))
  const until = record.endAt && record.endAt < now ? record.endAt : now
  const rows = await fixesAround(client, record, { from, until }, boundsOf(area))
  return firstArrival(rows, area, from.getTime(), record.startAt.getTime())
}

function firstArrival(fixes: readonly Fix[], area: FenceArea, from: number, startAt: number): Date | null {
  const inside = new Set<number>()
  for (const { deviceId, at, lat, lon } of fixes) {
    const isIn = isInside(area, { lat: Number(lat), lon: Number(lon) })
    if (!isIn) inside.delete(deviceId)
    else if (at < from) inside.add(deviceId)
    // A record lasts at least an instant.
    else if (!inside.has(deviceId)) return new Date(Math.max(at, startAt + 1))
  }
  return null
}
