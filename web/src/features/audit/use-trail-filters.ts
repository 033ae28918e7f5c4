import { auditFeatures } from '@isotherm/contract/audit.ts'
import { useMemo } from 'react'
import { useListParams } from '../../ui/list/use-list-params.ts'
import { usePeriod } from '../../ui/list/use-period.ts'

const filters = { feature: auditFeatures } as const

/** The list's parameters with the days of the URL among the filters, and what the calls are asked for. */
export function useTrailFilters() {
  const list = useListParams({ filters })
  const period = usePeriod(list)
  return useMemo(() => {
    const asked = {
      search: list.search || undefined,
      feature: auditFeatures.find((name) => name === list.filters.feature),
      ...period.asked,
    }
    return { ...period, asked }
  }, [list, period])
}
