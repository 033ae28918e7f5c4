import { generateSecret, generateURI, verifySync } from 'otplib'
import type { Pool } from '../db/pool.ts'
import type { Tx } from '../db/transaction.ts'
import { AppError } from '../errors/app-error.ts'
import { seal, unseal } from '../secrets/seal.ts'
import type { Services } from '../services.ts'
import type { Identity } from './identities.ts'

// One period of 30 seconds back and none ahead.
const tolerance: [number, number] = [30, 0]
const freeFailures = 4
const longestPauseMs = 86_400_000

type Tools = Pick<Services, 'pool' | 'secret' | 'clock'>
type Owner = Pick<Identity, 'id' | 'companyId'>

const placeOf = ({ id, companyId }: Owner) => ({ column: 'totps.secret_sealed', companyId, id })

/** Whether codes of the person count, and since when. As the login role. */
export const findTotp = (tx: Tx, identityId: string) =>
  tx
    .selectFrom('totps')
    .select(['confirmed_at as confirmedAt', 'secret_sealed as sealed'])
    .where('identity_id', '=', identityId)
    .executeTakeFirst()

/** Makes a secret that counts once it is confirmed, in the place of one that was not; undefined where one counts already. As the login role. */
export async function beginTotp(tx: Tx, secret: Buffer, owner: Owner & { email: string }, now: Date) {
  const written = generateSecret()
  const sealed = seal(secret, placeOf(owner), written)
  const row = await tx
    .insertInto('totps')
    .values({ identity_id: owner.id, secret_sealed: sealed, created_at: now })
    .onConflict((conflict) =>
      conflict
        .column('identity_id')
        .doUpdateSet({ secret_sealed: sealed, created_at: now, last_step: '0', failures: 0, locked_until: null })
        .where('totps.confirmed_at', 'is', null),
    )
    .returning('identity_id')
    .executeTakeFirst()
  return row && { secret: written, uri: generateURI({ issuer: 'Isotherm', label: owner.email, secret: written }) }
}

/** The time step of a code; null where it is wrong, or the secret cannot be opened. */
export function stepOf(secret: Buffer, owner: Owner, sealed: Buffer, code: string, now: Date): number | null {
  const key = unseal(secret, placeOf(owner), sealed)
  const digits = code.replace(/\s/g, '')
  if (!key || !/^\d{6}$/.test(digits)) return null
  const epoch = Math.floor(now.getTime() / 1000)
  const result = verifySync({ secret: key, token: digits, epochTolerance: tolerance, epoch })
  return result.valid && 'timeStep' in result ? result.timeStep : null
}

/**
 * Looks at a code. Each look counts as a failure before it is made, so that a thousand at once are no more than one after the other, and until
 * `useStep` takes it back: from the fifth on each is followed by a pause, of a minute, then of two, to a day. Only who has the password, or a
 * session, comes so far. By itself, outside the transaction of the call. Throws TOO_MANY_REQUESTS.
 */
export async function tryCode({ pool, secret, clock }: Tools, owner: Owner, code: string) {
  const now = clock.now()
  const { rows } = await pool.query<{ sealed: Buffer; failures: number }>(
    `update totps set failures = failures + 1, locked_until = case when failures >= $3
        then $2::timestamptz + least($4, 60000 * power(2, least(failures - $3, 20))) * interval '1 millisecond' end
      where identity_id = $1 and confirmed_at is not null and coalesce(locked_until <= $2, true)
      returning secret_sealed as sealed, failures`,
    [owner.id, now, freeFailures, longestPauseMs],
  )
  const row = rows[0]
  if (!row) await refusePaused(pool, owner.id, now)
  const step = row ? stepOf(secret, owner, row.sealed, code, now) : null
  return { step, failures: row?.failures ?? 0, isPaused: (row?.failures ?? 0) > freeFailures }
}

async function refusePaused(pool: Pool, identityId: string, now: Date) {
  const { rows } = await pool.query<{ until: Date }>(
    'select locked_until as until from totps where identity_id = $1 and locked_until > $2',
    [identityId, now],
  )
  if (!rows[0]) return
  const seconds = Math.max(1, Math.ceil((rows[0].until.getTime() - now.getTime()) / 1000))
  throw new AppError('TOO_MANY_REQUESTS', { seconds }, seconds)
}

/** Uses a code up: true for one caller only, and never for a code before it. Ends the pause. As the login role. */
export async function useStep(tx: Tx, identityId: string, step: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('totps')
    .set({ last_step: String(step), failures: 0, locked_until: null })
    .where('identity_id', '=', identityId)
    .where('last_step', '<', String(step))
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** From here on codes count; false where they do already. The one that confirms it is used up. As the login role. */
export async function confirmTotp(tx: Tx, identityId: string, step: number, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('totps')
    .set({ confirmed_at: now, last_step: String(step), failures: 0, locked_until: null })
    .where('identity_id', '=', identityId)
    .where('confirmed_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** As the login role; false where there was none that counted. */
export async function deleteTotp(tx: Tx, identityId: string): Promise<boolean> {
  const rows = await tx
    .deleteFrom('totps')
    .where('identity_id', '=', identityId)
    .returning('confirmed_at as confirmedAt')
    .execute()
  return rows.some(({ confirmedAt }) => confirmedAt !== null)
}
