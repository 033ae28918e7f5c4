import type { LoggedIn, Profile } from '@isotherm/contract/auth.ts'
import type { Action, Module, PermissionMatrix } from '@isotherm/contract/permissions.ts'
import { useSyncExternalStore } from 'react'

export interface SessionState {
  token: string | null
  profile: Profile | null
  loginCount: number
  /** Of the last request of the session: 'loading', then 'success'. */
  status: 'idle' | 'loading' | 'success'
  showTerms: boolean
  /** IANA zone that times are shown in. */
  timezone: string
  roleModulePermissions: PermissionMatrix | null
  /** The permissions of the module whose screen is open. */
  currentModulePermissions: PermissionMatrix[Module] | null
}

const storageKey = 'isotherm.session'
const browserZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC'
const loggedOut = (): SessionState => ({
  token: null,
  profile: null,
  loginCount: 0,
  status: 'idle',
  showTerms: false,
  timezone: browserZone(),
  roleModulePermissions: null,
  currentModulePermissions: null,
})

function stored(): SessionState {
  try {
    const found = JSON.parse(localStorage.getItem(storageKey) ?? 'null') as Partial<SessionState> | null
    if (found?.token && found.profile) return { ...loggedOut(), ...found }
  } catch {
    // What cannot be read is as good as absent.
  }
  return loggedOut()
}

let state = stored()
// A session without a token is logged out; where there is none at all, a guest's choice of language stays.
if (!state.token && localStorageHolds(storageKey)) forget()
const listeners = new Set<() => void>()
const endings = new Set<() => void>()

function localStorageHolds(key: string): boolean {
  try {
    return localStorage.getItem(key) !== null
  } catch {
    return false
  }
}

function forget() {
  try {
    localStorage.clear()
    sessionStorage.clear()
  } catch {
    // Storage may be forbidden.
  }
}

function become(next: SessionState) {
  state = next
  for (const listener of [...listeners]) listener()
}

export const getSession = (): SessionState => state

export function setSession(change: Partial<SessionState>) {
  const next = { ...state, ...change }
  try {
    localStorage.setItem(storageKey, JSON.stringify(next))
  } catch {
    // The session then lasts as long as the page.
  }
  become(next)
}

export function subscribeSession(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Reads one thing of the session; `select` must return a stable value for an unchanged state. */
export const useSession = <T>(select: (state: SessionState) => T): T =>
  useSyncExternalStore(subscribeSession, () => select(state))

/** Runs whenever the session ends, for whatever reason. */
export function onLoggedOut(work: () => void): () => void {
  endings.add(work)
  return () => endings.delete(work)
}

/** Takes over what the server says about the person. */
export const takeProfile = (user: Profile, showTerms: boolean) =>
  setSession({
    profile: user,
    loginCount: user.loginCount,
    timezone: user.timezone,
    roleModulePermissions: user.roleModulePermissions,
    showTerms,
    status: 'success',
  })

export function logIn(answer: LoggedIn) {
  setSession({ token: answer.tokens.accessToken })
  takeProfile(answer.user, answer.isShowTermsAndConditions)
}

/** Forgets everything stored: session, preferences, cached answers (by `onLoggedOut`). Does not call the server. */
export function logOut() {
  forget()
  become(loggedOut())
  for (const ending of [...endings]) ending()
}

export function openModule(module: Module | null) {
  const current = module ? (state.roleModulePermissions?.[module] ?? null) : null
  if (sameActions(current, state.currentModulePermissions)) return
  setSession({ currentModulePermissions: current })
}

const actions: Action[] = ['view', 'addOrEdit', 'export']
const sameActions = (a: PermissionMatrix[Module] | null, b: PermissionMatrix[Module] | null) =>
  a === b || (a !== null && b !== null && actions.every((action) => a[action] === b[action]))

// Another tab logged out (or in as somebody else): this one follows.
globalThis.addEventListener?.('storage', (event) => {
  if (event.key !== null && event.key !== storageKey) return
  const next = stored()
  if (!next.token) {
    if (state.token) logOut()
  } else if (next.token === state.token) become(next)
  else location.reload()
})
