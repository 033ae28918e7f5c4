import { instantOf, plusDays } from '@isotherm/contract/zone-times.ts'
import { useMemo } from 'react'
import { shownZone } from '../../lib/times.ts'
import { useUrlSearch } from '../../lib/url-search.ts'
import type { ListParams } from './use-list-params.ts'

const isDay = (text: unknown): text is string =>
  typeof text === 'string' && /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(`${text}T00:00Z`))

// The last instant of the day where the person is: days of 23 and 25 hours too.
const endOf = (day: string, zone: string) => new Date(Date.parse(instantOf(plusDays(day, 1), zone)) - 1).toISOString()

/** The rows of a list whose days are crossed: it says so instead of showing another period. */
export const noRows = { data: [], meta: { page: 1, perPage: 25, total: 0, pageCount: 0 } }

export interface Period {
  /** The list's parameters, with the days among the filters. */
  params: ListParams
  from: string | undefined
  to: string | undefined
  /** The first day lies after the last: nothing is to be asked for. */
  crossed: boolean
  /** The days as instants, for the call. */
  asked: { from: string | undefined; to: string | undefined }
}

/** The days `from` and `to` of the URL, both included, as the person's days. */
export function usePeriod(list: ListParams): Period {
  const { search } = useUrlSearch()
  const from = isDay(search.from) ? search.from : undefined
  const to = isDay(search.to) ? search.to : undefined
  return useMemo(() => {
    const zone = shownZone()
    return {
      params: { ...list, filters: { ...list.filters, from, to } },
      from,
      to,
      crossed: from !== undefined && to !== undefined && from > to,
      asked: { from: from && instantOf(from, zone), to: to && endOf(to, zone) },
    }
  }, [list, from, to])
}
