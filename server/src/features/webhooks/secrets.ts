import { randomBytes } from 'node:crypto'
import { secretOverlapHours } from '@isotherm/contract/webhooks.ts'
import type { TenantTx } from '../../platform/context.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { seal, unseal } from '../../platform/secrets/seal.ts'
import { deleteSecrets, endSecret, insertSecret, type SecretRow, secretsOf, setSealed } from './secret-queries.ts'

/** The place where a secret is sealed: in its own row. */
const placeOf = ({ company_id: companyId, id }: Pick<SecretRow, 'company_id' | 'id'>) => ({
  ...{ column: 'webhook_secrets.secret_sealed', companyId, id },
})

/** `whsec_` and the base64 of 32 random bytes, as Standard Webhooks has it. */
async function makeSecret(ctx: TenantTx, key: Buffer, endpointId: string, now: Date): Promise<string> {
  const secret = `whsec_${randomBytes(32).toString('base64')}`
  const id = await insertSecret(ctx, endpointId, now)
  await setSealed(ctx, id, seal(key, placeOf({ company_id: ctx.companyId, id }), secret))
  return secret
}

/** The first secret of an endpoint. `key`: the installation's secret. */
export const firstSecret = makeSecret

/** Makes another secret of a locked endpoint; the one before signs beside it for a day. Throws KEY_JUST_ROTATED while two sign. */
export async function rotateSecret(ctx: TenantTx, key: Buffer, endpointId: string, now: Date): Promise<string> {
  const alive = await secretsOf(ctx.tx, ctx.companyId, endpointId, now)
  // Those that cannot be opened sign nothing: they do not stand in the way of a new one.
  if (openSecrets(key, alive).length > 1) throw new AppError('KEY_JUST_ROTATED')
  await deleteSecrets(ctx, endpointId, now)
  for (const { id, expires_at: ends } of alive)
    if (ends === null) await endSecret(ctx, id, new Date(now.getTime() + secretOverlapHours * 3_600_000))
  return makeSecret(ctx, key, endpointId, now)
}

/** The secrets that sign now, the newest first. One that was sealed with another installation's secret is left out: where its key is lost nothing signs. */
export const openSecrets = (key: Buffer, rows: readonly SecretRow[]): string[] =>
  rows.flatMap((row) => (row.secret_sealed && unseal(key, placeOf(row), row.secret_sealed)) || [])
