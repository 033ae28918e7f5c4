import { type AnyRoute, createRootRoute, createRoute, redirect } from '@tanstack/react-router'
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
  component: screen(async () => {
    const { followLive, Shell } = await import('../shell/shell.tsx')
    followLive()
    return Shell
  }, ['common', 'shell', 'notifications']),
})

type SearchParams = Record<string, string | undefined>

interface Screen<S extends SearchParams> {
  /** Without one it is for everybody whom the layout lets in. */
  guard?: ScreenGuard | (() => Promise<void>)
  /** Its search parameters; default: none. */
  search?: (given: Record<string, unknown>) => S
  load: () => Promise<ComponentType>
  /** The namespaces of its texts. */
  texts: string[]
}

const screenIn =
  <R extends AnyRoute>(layout: R) =>
  <const P extends string, S extends SearchParams = Record<never, never>>(
    path: P,
    { guard, search, load, texts }: Screen<S>,
  ) =>
    createRoute({
      getParentRoute: () => layout,
      path,
      validateSearch: (given: Record<string, unknown>) => search?.(given) ?? ({} as S),
      beforeLoad: () => (typeof guard === 'function' ? guard() : guard && needPermission(guard)),
      component: screen(load, texts),
      // Else words that were typed for one thing end up in another one of the same screen.
      remountDeps: ({ params }) => params,
    })

/** A screen for those who are not logged in. */
export const guestScreen = screenIn(guestRoute)
/** A screen for everybody. */
export const publicScreen = screenIn(publicRoute)
/** A screen inside the shell. */
export const sessionScreen = screenIn(sessionRoute)

/** "from -> to" of screens.tsv; path parameters go along. */
export const sessionRedirect = <const P extends string>(from: P, to: string, guard: ScreenGuard) =>
  createRoute({
    getParentRoute: () => sessionRoute,
    path: from,
    beforeLoad: ({ params }) => {
      needPermission(guard)
      const given: Record<string, string> = params
      throw redirect({
        href: to.replace(/\$(\w+)/g, (_, name) => encodeURIComponent(given[name] ?? '')),
        replace: true,
      })
    },
  })
