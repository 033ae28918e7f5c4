import { getSession, type SessionState } from './session.ts'
import { sandboxKey } from './tab-storage.ts'

/** Opens a tab that is in the sandbox by a session of its own; false where the browser opens none. The other tabs stay as they are. */
export function openSandboxTab(token: string): boolean {
  const tab = window.open('', '_blank')
  if (!tab) return false
  const { role, locale, timezone, roleModulePermissions } = getSession()
  const session: Partial<SessionState> = { token, role, locale, timezone, roleModulePermissions }
  tab.sessionStorage.clear()
  tab.sessionStorage.setItem(sandboxKey, JSON.stringify(session))
  tab.opener = null
  tab.location.replace('/dashboard')
  return true
}
