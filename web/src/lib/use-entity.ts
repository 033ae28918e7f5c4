import type { Call, Returned } from '@isotherm/contract/call.ts'
import { Id } from '@isotherm/contract/common.ts'
import { useParams } from '@tanstack/react-router'
import type { Sending } from './call.ts'
import { useCall } from './query.ts'

export interface EntityAnswer<T> {
  entity: T | undefined
  /** It is not there, or not for us: both are a 404. */
  isAbsent: boolean
  /** Why it could not be loaded, where nothing of it is there to be shown. */
  error: unknown
  retry: () => void
}

/** One thing that the URL names, kept up to date by pushes: `useEntity(alarms.one, { id: 'alarmId' })`. */
export function useEntity<C extends Call>(row: C, names: Record<string, string>): EntityAnswer<Returned<C>> {
  const inUrl = useParams({ strict: false }) as Record<string, string | undefined>
  const params = Object.fromEntries(Object.entries(names).map(([name, urlName]) => [name, inUrl[urlName] ?? '']))
  const areIds = Object.values(params).every((id) => Id.safeParse(id).success)
  const { data, error, refetch } = useCall(row, { params } as Sending<C>, { enabled: areIds, refetchMs: 60_000 })
  return {
    entity: data,
    isAbsent: !areIds || error?.status === 404,
    error: data === undefined ? error : null,
    retry: () => void refetch(),
  }
}
