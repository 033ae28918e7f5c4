import { useNavigate, useRouterState } from '@tanstack/react-router'
import { useCallback } from 'react'

export type UrlSearch = Record<string, string | undefined>

/**
 * The search parameters of the open screen, and how to change some of them: an undefined one goes. The change replaces the entry
 * of the browser's history, or with `isStep` adds one, which "back" then leaves.
 */
export function useUrlSearch(): {
  search: UrlSearch
  change: (next: UrlSearch, options?: { isStep?: boolean }) => void
} {
  const search = useRouterState({ select: (state) => state.location.search }) as UrlSearch
  const navigate = useNavigate()
  const change = useCallback(
    (next: UrlSearch, { isStep = false }: { isStep?: boolean } = {}) =>
      void navigate({
        to: '.',
        replace: !isStep,
        resetScroll: false,
        search: (before: UrlSearch) => ({ ...before, ...next }),
      }),
    [navigate],
  )
  return { search, change }
}

// Flat and readable: ?search=van&page=2, every value a string.
export const parseSearch = (search: string): Record<string, string> => Object.fromEntries(new URLSearchParams(search))
export const stringifySearch = (search: Record<string, unknown>) => {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(search))
    if (value !== undefined && value !== null) params.set(name, String(value))
  return params.size > 0 ? `?${params}` : ''
}
