import { useCallback, useMemo } from 'react'
import type { ZodType } from 'zod'
import { type UrlSearch, useUrlSearch } from '../../lib/url-search.ts'

export interface ListParams {
  page: number
  perPage: number
  search: string
  /** `column` or `-column`. */
  sort: string
  /** The chosen filters: absent means all. */
  filters: Record<string, string | undefined>
  /** Changes some of them; anything but `page` starts again at page 1. */
  change(next: Partial<Omit<ListParams, 'change' | 'filters'>> & { filters?: Record<string, string | undefined> }): void
}

type Filters = Record<string, readonly string[]>

/** Page, search, order and filters, as the call of a list is asked for them. */
type ListQuery<S, F extends Filters> = { [N in keyof F]: F[N][number] | undefined } & {
  page: number
  perPage: number
  search: string | undefined
  sort: S
}

const whole = (text: unknown, fallback: number, most: number) => {
  const value = Number(text)
  return Number.isInteger(value) && value >= 1 && value <= most ? value : fallback
}

/**
 * A list's search, filters, sort and page, kept in the URL. `sort` is the contract's schema of its orders, with the usual one;
 * `filters` names the query parameters the list filters by, with their accepted values. Others are ignored.
 */
export function useListParams<
  S extends string | undefined = undefined,
  const F extends Filters = Record<never, never>,
>({
  sort,
  perPage = 25,
  filters,
}: {
  sort?: ZodType<S>
  perPage?: number
  filters?: F
} = {}): ListParams & {
  asked: ListQuery<S, F>
} {
  const { search, change: changeSearch } = useUrlSearch()
  const usualSort = sort?.parse(undefined) ?? ''
  const change = useCallback<ListParams['change']>(
    ({ filters: changed, ...next }) =>
      changeSearch(withoutDefaults({ page: undefined, ...next, ...changed }, { sort: usualSort, perPage, page: 1 })),
    [changeSearch, usualSort, perPage],
  )
  return useMemo(() => {
    const page = whole(search.page, 1, 1_000_000)
    const rowsPerPage = whole(search.perPage, perPage, 200)
    const text = typeof search.search === 'string' ? search.search.slice(0, 100) : ''
    const chosenSort = sort?.safeParse(search.sort).data ?? usualSort
    const chosen = Object.fromEntries(
      Object.entries(filters ?? {}).map(([name, values]) => [name, values.find((value) => value === search[name])]),
    )
    const asked = { ...chosen, page, perPage: rowsPerPage, search: text || undefined, sort: chosenSort || undefined }
    return {
      page,
      perPage: rowsPerPage,
      search: text,
      sort: chosenSort,
      filters: chosen,
      asked: asked as ListQuery<S, F>,
      change,
    }
  }, [search, sort, usualSort, perPage, filters, change])
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
