import { onLoggedOut } from '../lib/session.ts'

/** The secret that hardware got because another company had it before. The server tells it once. */
export interface NewSecret {
  imei: string
  secret: string
}

let shown: NewSecret | null = null
const listeners = new Set<() => void>()

function become(next: NewSecret | null) {
  shown = next
  for (const listener of [...listeners]) listener()
}

/** Shows a new secret above whatever screen comes next, until the person has kept it. */
export const showNewSecret = (next: NewSecret) => become(next)
export const closeNewSecret = () => become(null)
export const getNewSecret = () => shown
export function subscribeNewSecret(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

// The next person at this browser must not see it.
onLoggedOut(closeNewSecret)
