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

interface SessionScreen {
  guard: ScreenGuard
  load: () => Promise<ComponentType>
  /** The namespaces of its texts. */
  texts: string[]
}

/** A screen inside the shell. */
export const sessionScreen = <const P extends string>(path: P, { guard, load, texts }: SessionScreen) =>
  createRoute({
    getParentRoute: () => sessionRoute,
    path,
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
