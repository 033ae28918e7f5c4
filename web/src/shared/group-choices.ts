import { groups } from '@isotherm/contract/groups.ts'
import { limits } from '@isotherm/contract/limits.ts'
import { useMemo } from 'react'
import { useCan } from '../lib/can.ts'
import { useCall } from '../lib/query.ts'

const none: { value: string; label: string }[] = []

/** The groups a list can be narrowed to, by name, the first 200; none for a role that may not see groups. */
export function useGroupChoices({ enabled = true } = {}): { value: string; label: string }[] {
  const mayView = useCan('groups.view')
  const answer = useCall(
    groups.list,
    { query: { perPage: limits.maxPerPage, sort: 'name' } },
    { enabled: enabled && mayView },
  )
  const found = answer.data?.data
  return useMemo(() => found?.map(({ id, name }) => ({ value: id, label: name })) ?? none, [found])
}
