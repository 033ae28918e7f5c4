/** Where the session of a tab in a sandbox lies: in the storage of that tab alone. */
export const sandboxKey = 'isotherm.sandbox'

/** Where the session of all other tabs of this browser lies. */
export const sessionKey = 'isotherm.session'

/**
 * Whose pushes this browser is subscribed to, by id: it stays when the session expires, while the subscription does. Empty: nobody's,
 * and the subscription is to end.
 */
export const pushOwnerKey = 'isotherm.push-owner'

/** Whether this tab is in a sandbox. It stays so until it is left by a new page. */
export const isInSandbox: boolean = holdsSandbox()

function holdsSandbox(): boolean {
  try {
    return globalThis.sessionStorage?.getItem(sandboxKey) != null
  } catch {
    return false
  }
}

/** The storage that this tab shares with others of its company: a tab in a sandbox shares it with none. */
export const companyStorage = (): Storage => (isInSandbox ? sessionStorage : localStorage)
