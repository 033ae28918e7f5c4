import { useCallback, useMemo } from 'react'
import { type UrlSearch, useUrlSearch } from '../../lib/url-search.ts'

export interface ListParams {
  page: number
  perPage: number
  search: string
  /** `column` or `-column`. */
  sort: string
  /** The chosen filters: absent means all. */
  filters: Record<string, string | undefined>
  /** Page and search, as the call of a list is asked for them. */
  asked: { page: number; perPage: number; search: string | undefined }
  /** Changes some of them; anything but `page` starts again at page 1. */
  change(
    next: Partial<Omit<ListParams, 'change' | 'filters' | 'asked'>> & { filters?: Record<string, string | undefined> },
  ): void
}

const whole = (text: unknown, fallback: number, most: number) => {
  const value = Number(text)
  return Number.isInteger(value) && value >= 1 && value <= most ? value : fallback
}

/**
 * A list's search, filters, sort and page, kept in the URL. `filters` names the query parameters the list filters by,
 * with their accepted values; others are ignored.
 */
export function useListParams(defaults: {
  sort: string
  perPage?: number
  filters?: Record<string, readonly string[]>
}): ListParams {
  const { search, change: changeSearch } = useUrlSearch()
  const { sort, perPage = 25, filters } = defaults
  const change = useCallback<ListParams['change']>(
    ({ filters: changed, ...next }) =>
      changeSearch(withoutDefaults({ page: undefined, ...next, ...changed }, { sort, perPage, page: 1 })),
    [changeSearch, sort, perPage],
  )
  return useMemo(() => {
    const page = whole(search.page, 1, 1_000_000)
    const rowsPerPage = whole(search.perPage, perPage, 200)
    const text = typeof search.search === 'string' ? search.search.slice(0, 100) : ''
    return {
      page,
      perPage: rowsPerPage,
      search: text,
      sort: typeof search.sort === 'string' && /^-?[a-zA-Z]{1,40}$/.test(search.sort) ? search.sort : sort,
      filters: Object.fromEntries(
        Object.entries(filters ?? {}).map(([name, values]) => [name, values.find((value) => value === search[name])]),
      ),
      asked: { page, perPage: rowsPerPage, search: text || undefined },
      change,
    }
  }, [search, sort, perPage, filters, change])
}

/** Texts, and undefined for what is empty or the default anyway. */
const withoutDefaults = (
  search: Record<string, string | number | undefined>,
  defaults: Record<string, string | number>,
): UrlSearch =>
  Object.fromEntries(
    Object.entries(search).map(([name, value]) => {
      const text = value === undefined ? '' : String(value)
      return [name, text === '' || text === String(defaults[name]) ? undefined : text]
    }),
  )
