import { Suspense, useSyncExternalStore } from 'react'
import { lazyWithTexts } from '../../lib/lazy-with-texts.ts'
import { proofAsked, subscribeProof } from '../../lib/proof.ts'

const ProofDialog = lazyWithTexts('security', () =>
  import('../../features/security/parts/proof-dialog.tsx').then((m) => m.ProofDialog),
)

/** Stands once in the shell: asks the person who they are whenever a call waits for that. */
export function ProofHost() {
  const by = useSyncExternalStore(subscribeProof, proofAsked)
  return <Suspense fallback={null}>{by && <ProofDialog by={by} />}</Suspense>
}
