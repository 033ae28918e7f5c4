import { keyOverlapHours } from '@isotherm/contract/developer.ts'
import { stateOf } from '../../core/developer/find-key.ts'
import { type KeyRow, listKeyRows, lockKeys, updateKey } from '../../core/developer/key-queries.ts'
import { addSecret } from '../../platform/auth/api-key-secrets.ts'
import type { Context } from '../../platform/context.ts'
import { withLogin } from '../../platform/db/transaction.ts'
import { AppError, invalidField } from '../../platform/errors/app-error.ts'
import type { SavedKey } from './present.ts'
import { target } from './present.ts'
import { hintOf, loadKey } from './save-keys.ts'

const overlapMs = keyOverlapHours * 3_600_000
const isOver = (row: KeyRow, now: Date) => ['revoked', 'expired'].includes(stateOf(row, now))

/**
 * Gives a key another secret; the one before is good for another day. While two are good a third is refused: a call that a browser or a proxy
 * repeats changes nothing. Throws NOT_FOUND, also for a key that is over, or KEY_JUST_ROTATED.
 */
export async function rotateKey(ctx: Context, id: string): Promise<SavedKey> {
  await lockKeys(ctx)
  const now = ctx.clock.now()
  const before = await loadKey(ctx, id)
  if (isOver(before, now)) throw new AppError('NOT_FOUND')
  if (before.overlap_until && before.overlap_until > now) throw new AppError('KEY_JUST_ROTATED')
  const othersEnd = new Date(now.getTime() + overlapMs)
  const about = { companyId: ctx.companyId, keyId: id, now, othersEnd }
  const secret = await withLogin(ctx.tx, () => addSecret(ctx.tx, about))
  await updateKey(ctx, id, { hint: hintOf(secret), overlap_until: othersEnd })
  const row = await loadKey(ctx, id)
  ctx.audit({ action: 'developer.keyRotated', target: target(row), after: { oldSecretUntil: othersEnd.toISOString() } })
  return { row, secret }
}

/** The same for the only key of the company. Throws NOT_FOUND where there is none, and VALIDATION where there are several. */
export async function rotateOnlyKey(ctx: Context): Promise<SavedKey> {
  const now = ctx.clock.now()
  const [only, ...others] = (await listKeyRows(ctx, now)).filter((row) => !isOver(row, now))
  if (!only) throw new AppError('NOT_FOUND')
  if (others.length > 0) throw invalidField('keyId', 'required')
  return rotateKey(ctx, only.id)
}
