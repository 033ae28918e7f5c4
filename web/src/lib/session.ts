import type { LoggedIn, Profile } from '@isotherm/contract/auth.ts'
import type { Locale } from '@isotherm/contract/common.ts'
import type { Action, Module, PermissionMatrix, Role } from '@isotherm/contract/permissions.ts'
import { useSyncExternalStore } from 'react'
import { companyStorage, isInSandbox, pushOwnerKey, sandboxKey, sessionKey } from './tab-storage.ts'

export interface SessionState {
  token: string | null
  /** Null until the server has said who is logged in: name, mail address and phone are not stored in the browser. */
  profile: Profile | null
  role: Role | null
  /** The language of the profile. */
  locale: Locale | null
  loginCount: number
  /** State of the last request of the session: 'loading', then 'success'. */
  status: 'idle' | 'loading' | 'success'
  showTerms: boolean
  /** The session may set a second factor up and nothing else. */
  mustEnrol: boolean
  /** IANA zone that times are shown in. */
  timezone: string
  roleModulePermissions: PermissionMatrix | null
  /** The permissions of the module whose screen is open. */
  currentModulePermissions: PermissionMatrix[Module] | null
}

const storageKey = isInSandbox ? sandboxKey : sessionKey
export const browserZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC'
const loggedOut = (): SessionState => ({
  token: null,
  profile: null,
  role: null,
  locale: null,
  loginCount: 0,
  status: 'idle',
  showTerms: false,
  mustEnrol: false,
  timezone: browserZone(),
  roleModulePermissions: null,
  currentModulePermissions: null,
})

function stored(): SessionState {
  try {
    const found = JSON.parse(companyStorage().getItem(storageKey) ?? 'null') as Partial<SessionState> | null
    if (found?.token && found.role) return { ...loggedOut(), ...found }
  } catch {
    // An unreadable entry counts as absent.
  }
  return loggedOut()
}

let state = stored()
// A session without a token is logged out; where there is none at all, a guest's choice of language stays.
if (!state.token && storeHolds(storageKey)) forget()
const listeners = new Set<() => void>()
/** How a session ended: with its token where the server does not know of that yet, and whether the person wanted it. */
interface Ending {
  token: string | null
  isByHand: boolean
}
const endings = new Set<(ending: Ending) => void>()

function storeHolds(key: string): boolean {
  try {
    return companyStorage().getItem(key) !== null
  } catch {
    return false
  }
}

function forget() {
  try {
    if (!isInSandbox) {
      const pushOwner = localStorage.getItem(pushOwnerKey)
      localStorage.clear()
      if (pushOwner !== null) localStorage.setItem(pushOwnerKey, pushOwner)
    }
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
    const { profile: _, status: __, ...kept } = next
    companyStorage().setItem(storageKey, JSON.stringify(kept))
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
export function onLoggedOut(work: (ending: Ending) => void): () => void {
  endings.add(work)
  return () => endings.delete(work)
}

/** Takes over what the server says about the person. */
export const takeProfile = (
  user: Profile,
  { isShowTermsAndConditions: showTerms, mustEnrol }: Pick<LoggedIn, 'isShowTermsAndConditions' | 'mustEnrol'>,
) =>
  setSession({
    profile: user,
    role: user.role,
    locale: user.locale,
    loginCount: user.loginCount,
    timezone: user.timezone,
    roleModulePermissions: user.roleModulePermissions,
    showTerms,
    mustEnrol,
    status: 'success',
  })

export function logIn(answer: LoggedIn) {
  setSession({ token: answer.tokens.accessToken })
  takeProfile(answer.user, answer)
}

/**
 * Forgets everything stored but whose pushes this browser gets: session, preferences, cached answers, and has the server end the session (by `onLoggedOut`).
 * `isOver`: the server, or another tab, has done so already. `isByHand`: the person asked for it.
 */
export function logOut({ isOver = false, isByHand = !isOver }: { isOver?: boolean; isByHand?: boolean } = {}) {
  const { token } = state
  forget()
  become(loggedOut())
  for (const ending of [...endings]) ending({ token: isOver ? null : token, isByHand })
  // The tab is one of the company again, as the others are.
  if (isInSandbox) location.replace('/developers')
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
  if (isInSandbox) return
  if (event.key !== null && event.key !== storageKey) return
  const next = stored()
  if (!next.token) {
    if (state.token) logOut({ isOver: true })
  } else if (next.token === state.token) become({ ...next, profile: state.profile, status: state.status })
  else location.reload()
})
