import { useNavigate, useRouterState } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'

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
  const search = useRouterState({ select: (state) => state.location.search }) as Record<string, unknown>
  const navigate = useNavigate()
  const { sort, perPage = 25, filters } = defaults
  const change = useCallback<ListParams['change']>(
    ({ filters: changed, ...next }) =>
      void navigate({
        to: '.',
        replace: true,
        resetScroll: false,
        search: ((before: Record<string, unknown>) =>
          withoutDefaults({ ...before, page: undefined, ...next, ...changed }, { sort, perPage, page: 1 })) as never,
      }),
    [navigate, sort, perPage],
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

const withoutDefaults = (search: Record<string, unknown>, defaults: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(search).filter(
      ([name, value]) => value !== undefined && value !== '' && String(value) !== String(defaults[name]),
    ),
  )
