import type { Module } from '@isotherm/contract/permissions.ts'
import { redirect } from '@tanstack/react-router'
import { can } from '../../lib/can.ts'
import { getSession, openModule } from '../../lib/session.ts'

/** The guards of screens.tsv that a session screen can have besides the login itself. */
export type ScreenGuard = 'session' | 'admin' | `view:${Module}` | `edit:${Module}`

/** A logged-in person has no business on a guest screen. */
export function guestsOnly() {
  if (getSession().token) throw redirect({ to: '/', replace: true })
}

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Where somebody wanted to go who had to log in first. */
    wanted?: string
  }
}

/** Without a login: /login, which leads on to where the person wanted to go. */
export function needLogin({ location }: { location: { href: string } }) {
  if (!getSession().token) throw redirect({ to: '/login', replace: true, state: { wanted: location.href } })
  if (getSession().mustEnrol) throw redirect({ to: '/enrol', replace: true })
}

/** Only where a second factor is to be set up before anything else. */
export async function needEnrolling() {
  if (!getSession().token) throw redirect({ to: '/login', replace: true })
  if (!getSession().mustEnrol) throw redirect({ to: '/', replace: true })
}

/** Without the permission: /404. */
export function needPermission(guard: ScreenGuard) {
  const [kind, module] = guard.split(':') as [string, Module | undefined]
  openModule(module ?? null)
  if (kind === 'admin' && !can('admin')) throw redirect({ to: '/404', replace: true })
  if (module && !can(`${module}.${kind === 'edit' ? 'addOrEdit' : 'view'}`))
    throw redirect({ to: '/404', replace: true })
}
