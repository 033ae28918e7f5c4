import type { MapSources } from '@isotherm/contract/basemap.ts'
import { useQuery } from '@tanstack/react-query'

const PREPARING_MS = 2_000
const LOST_MS = 10_000

async function fetchSources(signal: AbortSignal): Promise<MapSources> {
  const response = await fetch('/tiles/sources', { signal })
  if (!response.ok) throw new Error(`/tiles/sources answered ${response.status}`)
  return response.json()
}

/** Where tiles come from. Asks again while the server is still making its own, or while it cannot be reached. */
export function useMapSources(): { sources: MapSources | undefined; lost: boolean } {
  const { data, isError } = useQuery({
    queryKey: ['/tiles/sources'],
    queryFn: ({ signal }) => fetchSources(signal),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    refetchInterval: ({ state }) => (state.data?.basemap ? false : state.error ? LOST_MS : PREPARING_MS),
  })
  return { sources: data, lost: isError && data === undefined }
}
