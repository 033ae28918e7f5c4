import { onLoggedOut } from './session.ts'

/** A proof in any way that the person has, or by single sign-on only. */
export type ProofBy = 'any' | 'sso'

/** The proof that a refused call wants; null: it wants none. */
export const proofWanted = (code: string): ProofBy | null =>
  code === 'PROOF_NEEDED' ? 'any' : code === 'SSO_PROOF_NEEDED' ? 'sso' : null

// One question for all calls that wait for it (call.ts); the shell shows it (app/shell/proof-host.tsx).
let asked: { by: ProofBy; settle: (isProved: boolean) => void; answer: Promise<boolean> } | null = null
const listeners = new Set<() => void>()

const tell = () => {
  for (const listener of [...listeners]) listener()
}

/** Somebody shows the question. */
export const canAskForProof = () => listeners.size > 0

/** Asks the person to prove that it is them; false where they would not, or where nobody can be asked. */
export function askForProof(by: ProofBy = 'any'): Promise<boolean> {
  if (!canAskForProof()) return Promise.resolve(false)
  if (!asked) {
    let settle = (_: boolean) => {}
    const answer = new Promise<boolean>((resolve) => {
      settle = resolve
    })
    asked = { by, settle, answer }
    tell()
  }
  return asked.answer
}

export function settleProof(isProved: boolean) {
  asked?.settle(isProved)
  asked = null
  tell()
}

/** The proof that is asked for now; null: none. */
export const proofAsked = () => asked?.by ?? null
export function subscribeProof(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

onLoggedOut(() => settleProof(false))
