import { onLoggedOut } from './session.ts'

// One question for all calls that wait for it (call.ts); the shell shows it (app/shell/proof-host.tsx).
let asked: { settle: (isProved: boolean) => void; answer: Promise<boolean> } | null = null
const listeners = new Set<() => void>()

const tell = () => {
  for (const listener of [...listeners]) listener()
}

/** Somebody shows the question. */
export const canAskForProof = () => listeners.size > 0

/** Asks the person to prove that it is them; false where they would not, or where nobody can be asked. */
export function askForProof(): Promise<boolean> {
  if (!canAskForProof()) return Promise.resolve(false)
  if (!asked) {
    let settle = (_: boolean) => {}
    const answer = new Promise<boolean>((resolve) => {
      settle = resolve
    })
    asked = { settle, answer }
    tell()
  }
  return asked.answer
}

export function settleProof(isProved: boolean) {
  asked?.settle(isProved)
  asked = null
  tell()
}

export const isProofAsked = () => asked !== null
export function subscribeProof(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

onLoggedOut(() => settleProof(false))
