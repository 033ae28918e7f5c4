import type { Guard } from '@isotherm/contract/call.ts'
import { allows, type Permission } from '@isotherm/contract/permissions.ts'
import { getSession, type SessionState, useSession } from './session.ts'

const allowsGuard = (state: SessionState, guard: Guard): boolean => {
  if (guard === 'public') return true
  if (!state.token) return false
  if (guard === 'session') return true
  if (guard === 'admin') return state.profile?.role === 'admin'
  return allows(state.roleModulePermissions ?? undefined, guard)
}

/** May the person logged in make calls with this guard? Absence of a permission means no. */
export const can = (guard: Guard): boolean => allowsGuard(getSession(), guard)

/** The same, kept up to date: `const mayAdd = useCan('users.addOrEdit')`. */
export const useCan = (guard: Permission | 'admin' | 'session'): boolean =>
  useSession((state) => allowsGuard(state, guard))
