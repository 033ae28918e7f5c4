import { isProofFresh } from '../../platform/auth/sessions.ts'
import type { Context } from '../../platform/context.ts'
import { AppError } from '../../platform/errors/app-error.ts'

/**
 * Asks for a proof of who calls where a call does not always need one; a row that always does says `needsProof`. In a sandbox the proof that opened the
 * session counts. Throws PROOF_NEEDED.
 */
export function needFreshProof({ session, clock }: Context): void {
  if (!session || session.isInSandbox || isProofFresh(session, clock.now())) return
  throw new AppError('PROOF_NEEDED')
}
