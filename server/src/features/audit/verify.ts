import type { AuditVerdict, Checkpoint, CheckpointFile } from '@isotherm/contract/audit.ts'
import { genuineOf } from '../../platform/audit/checkpoint.ts'
import { verifyChain } from '../../platform/audit/verify-chain.ts'
import { signingKeys } from '../../platform/config/signing-keys.ts'
import type { Context } from '../../platform/context.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { translate } from '../../platform/i18n/i18n.ts'

/**
 * Verifies the company's trail, against a checkpoint file kept elsewhere too where one is given. Throws CHECKPOINTS_INVALID where
 * the file is another company's, or has a checkpoint that no key of this installation signed.
 */
export async function verifyTrail(ctx: Context, file?: CheckpointFile): Promise<AuditVerdict> {
  const { known } = await signingKeys(ctx.services.config.dataDir)
  const kept = distinct(file?.checkpoints ?? [])
  const signed = await ctx.services.ledger.last(ctx.companyId)
  if (kept.length > 0 && (await genuineOf(kept, ctx.companyId, known)).size < kept.length)
    throw new AppError('CHECKPOINTS_INVALID')
  const { entries, checkpoints, signedTo, fault } = await verifyChain(ctx.tx, ctx.companyId, { known, kept, signed })
  return {
    whole: fault === null,
    entries,
    fault: fault?.kind ?? null,
    brokenAt: fault && String(fault.from),
    brokenTo: fault?.to ? String(fault.to) : null,
    words: fault
      ? translate(ctx.locale, `audit:faults.${fault.kind}`, { places: placesOf(ctx, fault) })
      : translate(ctx.locale, 'audit:faults.none'),
    checkpoints,
    signedTo: signedTo && String(signedTo.seq),
    signedAt: signedTo?.at ?? null,
  }
}

/** Each checkpoint once: of those that are genuine there are then no more than were ever signed for the company. */
const distinct = (checkpoints: readonly Checkpoint[]): Checkpoint[] => [
  ...new Map(checkpoints.map((each) => [Object.values(each).join(' '), each])).values(),
]

/** "12", or "12 to 15", in the caller's language. */
function placesOf({ locale }: Context, { from, to }: { from: number; to: number | null }): string {
  const digits = new Intl.NumberFormat(locale)
  const [first, last] = [digits.format(from), digits.format(to ?? from)]
  return first === last ? first : translate(locale, 'audit:faults.range', { first, last })
}
