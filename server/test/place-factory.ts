import type { FenceArea } from '@isotherm/contract/places.ts'
import { changing } from './changed.ts'
import type { Stage } from './factories.ts'

let count = 0
const named = (kind: string) => {
  count += 1
  return `${kind} ${count}`
}

const around = (lat: number, lon: number): FenceArea => ({ kind: 'circle', centre: { lat, lon }, radiusM: 500 })

/** A red circle of 500 m in Lagos, unless told otherwise. */
export function buildGeofence(
  test: Stage,
  given: {
    companyId: number
    name?: string
    area?: FenceArea
    notifyIn?: boolean
    notifyOut?: boolean
    createdAt?: Date
  },
): Promise<{ id: string; name: string }> {
  const now = given.createdAt ?? test.clock.now()
  return changing(test.pool, given.companyId, ({ tx }) =>
    tx
      .insertInto('geofences')
      .values({
        company_id: given.companyId,
        name: given.name ?? named('Fence'),
        colour: 'red',
        area: JSON.stringify(given.area ?? around(6.45, 3.39)),
        notify_in: given.notifyIn ?? true,
        notify_out: given.notifyOut ?? true,
        created_at: now,
        updated_at: now,
      })
      .returning(['id', 'name'])
      .executeTakeFirstOrThrow(),
  )
}

/** A point of interest in Lagos. */
export function buildPoint(
  test: Stage,
  given: { companyId: number; name?: string },
): Promise<{ id: string; name: string }> {
  const now = test.clock.now()
  return changing(test.pool, given.companyId, ({ tx }) =>
    tx
      .insertInto('points_of_interest')
      .values({
        company_id: given.companyId,
        name: given.name ?? named('Point'),
        lat_e7: 64_500_000,
        lon_e7: 33_900_000,
        radius_m: 200,
        notify_in: true,
        notify_out: false,
        created_at: now,
        updated_at: now,
      })
      .returning(['id', 'name'])
      .executeTakeFirstOrThrow(),
  )
}
