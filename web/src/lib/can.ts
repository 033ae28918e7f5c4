import type { Guard } from '@isotherm/contract/call.ts'
import type { Action, Module, Permission } from '@isotherm/contract/permissions.ts'
import { getSession, type SessionState, useSession } from './session.ts'
import { isInSandbox } from './tab-storage.ts'

/** The rights that nobody has in a sandbox, where all that they allow costs money or reaches somebody outside. */
const closedInSandbox: ReadonlySet<string> = new Set([
  ...['users.addOrEdit', 'payments.addOrEdit', 'reports.addOrEdit', 'dispatch.addOrEdit'],
])

const allowsGuard = (state: SessionState, guard: Guard): boolean => {
  if (guard === 'public') return true
  if (!state.token) return false
  if (guard === 'session') return true
  if (guard === 'admin') return state.role === 'admin'
  if (isInSandbox && closedInSandbox.has(guard)) return false
  // As the contract's allows(), which would bring zod to the login screen.
  const [module, action] = guard.split('.') as [Module, Action]
  return state.roleModulePermissions?.[module]?.[action] === true
}

/** May the person logged in make calls with this guard? Absence of a permission means no. */
export const can = (guard: Guard): boolean => allowsGuard(getSession(), guard)

/** The same, kept up to date: `const mayAdd = useCan('users.addOrEdit')`. */
export const useCan = (guard: Permission | 'admin' | 'session'): boolean =>
  useSession((state) => allowsGuard(state, guard))

/** May the person do at least one of these? Kept up to date. */
export const useCanAny = (guards: readonly Guard[]): boolean =>
  useSession((state) => guards.some((guard) => allowsGuard(state, guard)))
