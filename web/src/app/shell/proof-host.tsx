import { Suspense, useSyncExternalStore } from 'react'
import { lazyWithTexts } from '../../lib/lazy-with-texts.ts'
import { isProofAsked, subscribeProof } from '../../lib/proof.ts'
import { proveBySso } from '../../lib/prove-by-sso.ts'

const ProofDialog = lazyWithTexts('security', () =>
  import('../../features/security/parts/proof-dialog.tsx').then((m) => m.ProofDialog),
)

const waitsMs = 15 * 60_000

async function bySso() {
  if (!(await proveBySso(AbortSignal.timeout(waitsMs)))) throw new Error('not proved')
}

/** Stands once in the shell: asks the person who they are whenever a call waits for that. */
export function ProofHost() {
  const isAsked = useSyncExternalStore(subscribeProof, isProofAsked)
  return <Suspense fallback={null}>{isAsked && <ProofDialog sso={bySso} />}</Suspense>
}
