import { type Device, devices } from '@isotherm/contract/devices.ts'
import { limits } from '@isotherm/contract/limits.ts'
import { useQueries } from '@tanstack/react-query'
import { useMemo } from 'react'
import { call } from '../../lib/call.ts'
import { keyOf, useCall } from '../../lib/query.ts'
import '../../features/devices/live-devices.ts'

const pagesMost = 5
const sendingOf = (page: number) => ({ query: { page, perPage: limits.maxPerPage } })

/** The devices for a map, live: the first 1,000 by name; `total` says how many there are. */
export function useFleet(): { fleet: Device[]; total: number; error: unknown; retry: () => void } {
  const first = useCall(devices.list, sendingOf(1), { refetchMs: 60_000 })
  const pageCount = Math.min(pagesMost, first.data?.meta.pageCount ?? 1)
  const others = useQueries({
    queries: Array.from({ length: pageCount - 1 }, (_, index) => ({
      queryKey: keyOf(devices.list, sendingOf(index + 2)),
      queryFn: ({ signal }: { signal: AbortSignal }) => call(devices.list, sendingOf(index + 2), { signal }),
      refetchInterval: 60_000,
    })),
  })
  const pages = [first.data, ...others.map((query) => query.data)]
  // biome-ignore lint/correctness/useExhaustiveDependencies: the pages are compared one by one
  const fleet = useMemo(() => pages.flatMap((page) => page?.data ?? []), pages)
  return {
    fleet,
    total: first.data?.meta.total ?? 0,
    error: first.data ? null : first.error,
    retry: () => void first.refetch(),
  }
}
