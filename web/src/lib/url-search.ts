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
        // A hook of many screens cannot know the names of each.
        search: ((before: UrlSearch) => ({ ...before, ...next })) as never,
      }),
    [navigate],
  )
  return { search, change }
}
