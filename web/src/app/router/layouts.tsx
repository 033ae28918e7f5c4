import { createRootRoute, createRoute, redirect } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import { RootLayout } from '../root-layout.tsx'
import { guestsOnly, needLogin, needPermission, type ScreenGuard } from './guards.ts'
import { screen } from './screen.tsx'

export const rootRoute = createRootRoute({ component: RootLayout })

export const guestRoute = createRoute({ getParentRoute: () => rootRoute, id: 'guest', beforeLoad: guestsOnly })
export const publicRoute = createRoute({ getParentRoute: () => rootRoute, id: 'public' })
export const sessionRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'session',
  beforeLoad: needLogin,
  component: screen(() => import('../shell/shell.tsx').then((m) => m.Shell), ['common', 'shell', 'notifications']),
})

interface SessionScreen<S extends SearchParams> {
  guard: ScreenGuard
  /** Its search parameters; default: none. */
  search?: (given: Record<string, unknown>) => S
  load: () => Promise<ComponentType>
  /** The namespaces of its texts. */
  texts: string[]
}

type SearchParams = Record<string, string | undefined>

/** A screen inside the shell. */
export const sessionScreen = <const P extends string, S extends SearchParams = Record<never, never>>(
  path: P,
  { guard, search, load, texts }: SessionScreen<S>,
) =>
  createRoute({
    getParentRoute: () => sessionRoute,
    path,
    validateSearch: (given: Record<string, unknown>) => search?.(given) ?? ({} as S),
    beforeLoad: () => needPermission(guard),
    component: screen(load, texts),
  })

/** "from -> to" of screens.tsv; path parameters go along. */
export const sessionRedirect = <const P extends string>(from: P, to: string, guard: ScreenGuard) =>
  createRoute({
    getParentRoute: () => sessionRoute,
    path: from,
    beforeLoad: ({ params }) => {
      needPermission(guard)
      throw redirect({ to: to as string, params: params as never, replace: true } as never)
    },
  })
