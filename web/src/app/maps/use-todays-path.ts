import { devices } from '@isotherm/contract/devices.ts'
import { instantOf, localDayOf, plusDays } from '@isotherm/contract/zone-times.ts'
import { useMemo } from 'react'
import { useNow } from '../../lib/now.ts'
import { useCall } from '../../lib/query.ts'
import { useSession } from '../../lib/session.ts'
import { pathOf } from '../../shared/device-past/path-points.ts'

/** From midnight to midnight in the person's zone: the same question all day long, whose answer grows. */
export function todayIn(zone: string, now: number) {
  const day = localDayOf(now, zone)
  return { from: instantOf(day, zone), to: instantOf(plusDays(day, 1), zone) }
}

/** Where a device has been today, and how many fixes that is; nothing of `null`. */
export function useTodaysPath(id: string | null) {
  const zone = useSession((state) => state.timezone)
  const { from, to } = todayIn(zone, useNow())
  const answer = useCall(
    devices.mapPoints,
    { params: { id: id ?? '' }, query: { from, to, points: 1000 } },
    { enabled: id !== null },
  )
  const data = id === null ? undefined : answer.data
  const path = useMemo(() => (data ? pathOf(data) : null), [data])
  return { path, fixes: data ? (path?.points.length ?? 0) + data.leftOut : null }
}
