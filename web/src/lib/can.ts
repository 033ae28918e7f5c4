import type { Call, Guard } from '@isotherm/contract/call.ts'
import type { Action, Module } from '@isotherm/contract/permissions.ts'
import { getSession, type SessionState, useSession } from './session.ts'

/** Whether a right or a call is open in this tab. All are, but in a sandbox (`shared/sandbox-rights.ts`). */
let isOpen = (_: Guard | Call): boolean => true

/** From now on nobody may do in this tab what is not open. */
export const openOnly = (isOpenHere: typeof isOpen) => {
  isOpen = isOpenHere
}

const isAllowed = (state: SessionState, what: Guard | Call): boolean => {
  if (!isOpen(what)) return false
  const guard = typeof what === 'string' ? what : what.needs
  if (guard === 'public') return true
  if (!state.token) return false
  if (guard === 'session') return true
  if (guard === 'admin') return state.role === 'admin'
  // As the contract's allows(), which would bring zod to the login screen.
  const [module, action] = guard.split('.') as [Module, Action]
  return state.roleModulePermissions?.[module]?.[action] === true
}

/** May the person logged in make this call, or calls with this guard? Absence of a permission means no. */
export const can = (what: Guard | Call): boolean => isAllowed(getSession(), what)

/** The same, kept up to date: `const mayAdd = useCan(users.invite)`. A button asks for the call that it leads to. */
export const useCan = (what: Guard | Call): boolean => useSession((state) => isAllowed(state, what))

/** May the person do at least one of these? Kept up to date. */
export const useCanAny = (guards: readonly Guard[]): boolean =>
  useSession((state) => guards.some((guard) => isAllowed(state, guard)))
