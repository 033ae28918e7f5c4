import { type ExcursionCause, excursions } from '@isotherm/contract/excursions.ts'
import { limits } from '@isotherm/contract/limits.ts'
import { users } from '@isotherm/contract/users.ts'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useCan } from '../../lib/can.ts'
import { useCall } from '../../lib/query.ts'
import { useSession } from '../../lib/session.ts'
import { useListParams } from '../../ui/list/use-list-params.ts'

interface Choice {
  value: string
  label: string
}

const noCauses: ExcursionCause[] = []
const noGroups: Choice[] = []
/** Filters that stand as chips, with their values. */
export const chips = {
  measure: ['temperature', 'humidity'],
  side: ['above', 'below'],
  open: ['true', 'false'],
} as const

/** The causes of the company, those that are offered first. */
export const useCauses = (): ExcursionCause[] =>
  useCall(excursions.causes, {}, { staleTimeMs: 300_000 }).data ?? noCauses

/** The people an excursion can be given to, oneself first: only oneself for a role that may not see the team. */
export function useOwners(): Choice[] {
  const { t } = useTranslation('excursions')
  const mayView = useCan('users.view')
  const me = useSession((state) => state.profile)
  const query = { perPage: limits.maxPerPage, sort: 'fullname' as const }
  const team = useCall(users.list, { query }, { enabled: mayView, staleTimeMs: 300_000 }).data?.data
  return useMemo(() => {
    const others = (team ?? []).filter(({ id }) => id !== me?.id)
    return [
      ...(me ? [{ value: me.id, label: t('annotate.me', { name: me.fullname }) }] : []),
      ...others.map(({ id, fullname }) => ({ value: id, label: fullname })),
    ]
  }, [team, me, t])
}

/** Search, filters, order and page of a list of excursions, in the URL; with what can be chosen. */
export function useExcursionParams(groups: Choice[] = noGroups) {
  const causes = useCauses()
  const owners = useOwners()
  const filters = useMemo(
    () => ({
      ...chips,
      cause: ['none', 'some', ...causes.map(({ key }) => key)],
      owner: ['none', ...owners.map(({ value }) => value)],
      group: groups.map(({ value }) => value),
    }),
    [causes, owners, groups],
  )
  const params = useListParams({ sort: excursions.list.query.shape.sort, filters })
  return { params, causes, owners }
}
