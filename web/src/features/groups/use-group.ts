import { Id } from '@isotherm/contract/common.ts'
import { type Group, groups } from '@isotherm/contract/groups.ts'
import { useParams } from '@tanstack/react-router'
import { refetchCalls, useCall } from '../../lib/query.ts'

export type GroupAnswer =
  | { state: 'loading' }
  | { state: 'absent' }
  | { state: 'failed'; error: unknown; retry: () => void }
  | { state: 'here'; group: Group }

/** The group in the URL. */
export function useGroup(): GroupAnswer {
  const { groupId = '' } = useParams({ strict: false }) as { groupId?: string }
  const isId = Id.safeParse(groupId).success
  const answer = useCall(groups.one, { params: { id: groupId } }, { enabled: isId, refetchMs: 60_000 })
  if (!isId || answer.error?.status === 404) return { state: 'absent' }
  if (answer.data) return { state: 'here', group: answer.data }
  if (answer.error) return { state: 'failed', error: answer.error, retry: () => void answer.refetch() }
  return { state: 'loading' }
}

/** After any change of a group or its members. */
export const refetchGroups = () =>
  refetchCalls(
    groups.list,
    groups.one,
    groups.overview,
    groups.devices,
    groups.users,
    groups.chart,
    groups.temperature,
    groups.stats,
  )
