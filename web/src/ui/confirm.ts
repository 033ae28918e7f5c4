import type { ReactNode } from 'react'
import { onLoggedOut } from '../lib/session.ts'

/** A question before something that cannot be taken back. */
export interface Confirmation {
  /** "Delete Amina Yusuf?": names what will be destroyed. */
  title: string
  /** The consequences: what goes with it, what stays. */
  text: string
  /** The verb on the button: "Delete". */
  action: string
  destructive?: boolean
  /** Below the text: what else would be lost, such as `<Silenced>` names. */
  warning?: ReactNode
  /** Runs while the dialog shows progress; when it rejects, the dialog stays and says so. */
  run: () => Promise<unknown>
}

let asked: Confirmation | null = null
const listeners = new Set<() => void>()

function become(next: Confirmation | null) {
  asked = next
  for (const listener of [...listeners]) listener()
}

export const confirm = (question: Confirmation) => become(question)
export const closeConfirmation = () => become(null)
export const getConfirmation = () => asked
export function subscribeConfirmation(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

// Nobody answers for the one who was asked.
onLoggedOut(closeConfirmation)
