import { limits } from '@isotherm/contract/limits.ts'
import { type Geofence, type PointOfInterest, places } from '@isotherm/contract/places.ts'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'
import { useCan } from '../../lib/can.ts'

/** A map with more than these would show nothing but outlines. */
const maxPlaces = 1_000
const refetchMs = 60_000

async function everything<T>(
  page: (page: number) => Promise<{ data: T[]; meta: { pageCount: number } }>,
): Promise<T[]> {
  const found: T[] = []
  for (let number = 1; ; number++) {
    const { data, meta } = await page(number)
    found.push(...data)
    if (number >= meta.pageCount || found.length >= maxPlaces) return found.slice(0, maxPlaces)
  }
}

const loadGeofences = (signal?: AbortSignal) =>
  everything((page) => call(places.geofences, { query: { page, perPage: limits.maxPerPage } }, { signal }))

/** The geofence as it is now; as it was seen where a map has too many to find it. */
export const loadGeofence = async (seen: Geofence): Promise<Geofence> =>
  (await loadGeofences()).find(({ id }) => id === seen.id) ?? seen

/** Every geofence of the company; empty until they are there. */
export function useGeofences(enabled = true): readonly Geofence[] {
  const mayView = useCan('devices.view')
  const answer = useQuery({
    queryKey: [places.geofences.path, {}, 'all'],
    queryFn: ({ signal }) => loadGeofences(signal),
    enabled: enabled && mayView,
    refetchInterval: refetchMs,
  })
  return answer.data ?? none
}

/** Every point of interest of the company; empty until they are there. */
export function usePoints(enabled = true): readonly PointOfInterest[] {
  const mayView = useCan('devices.view')
  const answer = useQuery({
    queryKey: [places.pointsOfInterest.path, {}, 'all'],
    queryFn: ({ signal }) =>
      everything((page) => call(places.pointsOfInterest, { query: { page, perPage: limits.maxPerPage } }, { signal })),
    enabled: enabled && mayView,
    refetchInterval: refetchMs,
  })
  return answer.data ?? none
}

const none: readonly never[] = []
