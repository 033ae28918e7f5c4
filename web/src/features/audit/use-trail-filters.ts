import { auditFeatures } from '@isotherm/contract/audit.ts'
import { instantOf, plusDays } from '@isotherm/contract/zone-times.ts'
import { useMemo } from 'react'
import { shownZone } from '../../lib/times.ts'
import { useUrlSearch } from '../../lib/url-search.ts'
import { type ListParams, useListParams } from '../../ui/list/use-list-params.ts'

const filters = { feature: auditFeatures } as const
const isDay = (text: unknown): text is string =>
  typeof text === 'string' && /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(`${text}T00:00Z`))

// The last instant of the day where the person is: days of 23 and 25 hours too.
const endOf = (day: string, zone: string) => new Date(Date.parse(instantOf(plusDays(day, 1), zone)) - 1).toISOString()

/** The list's parameters with the days `from` and `to` of the URL among the filters, and what the calls are asked for. */
export function useTrailFilters() {
  const list = useListParams({ filters })
  const { search } = useUrlSearch()
  const from = isDay(search.from) ? search.from : undefined
  const to = isDay(search.to) ? search.to : undefined
  return useMemo(() => {
    // Days that are crossed ask for nothing: the list says so instead of showing another period.
    const params: ListParams = { ...list, filters: { ...list.filters, from, to } }
    const zone = shownZone()
    const crossed = from !== undefined && to !== undefined && from > to
    const asked = {
      search: list.search || undefined,
      feature: auditFeatures.find((name) => name === list.filters.feature),
      from: from && instantOf(from, zone),
      to: to && endOf(to, zone),
    }
    return { params, from, to, crossed, asked }
  }, [list, from, to])
}
