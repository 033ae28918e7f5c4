import type { TenantTx } from '../../platform/context.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { lockConnection } from './connection-queries.ts'
import { type DomainRow, updateDomain } from './domain-queries.ts'
import { endPasswordSessions } from './end-sessions.ts'

/** The DNS record (TXT) of a domain that proves whose it is. */
export const recordOf = ({ token }: Pick<DomainRow, 'token'>): string => `isotherm-verification=${token}`

const isTaken = (error: unknown) => error instanceof Error && 'code' in error && error.code === '23P01'

const noSession = Buffer.alloc(0)

/**
 * Notes that a domain is the company's. Where single sign-on is enforced, sessions of its people that were opened otherwise end, but the one kept. Throws
 * DOMAIN_TAKEN where another company has proved it.
 */
export async function proveDomain(
  of: TenantTx,
  row: DomainRow,
  by: 'dns' | 'provider',
  now: Date,
  keep: Buffer = noSession,
): Promise<void> {
  const proof = { proved_at: row.proved_at ?? now, proved_by: by, checked_at: now, missing_since: null }
  await updateDomain(of, row.id, proof).catch((error: unknown) => {
    throw isTaken(error) ? new AppError('DOMAIN_TAKEN') : error
  })
  if (!row.proved_at && (await lockConnection(of))?.state === 'enforced') await endPasswordSessions(of, keep)
}

/** A proved domain without its record stays the company's for so long. */
const patienceMs = 7 * 86_400_000
/** When a domain whose record has been missing since an instant is the company's no more. */
export const lostAt = (since: Date): Date => new Date(since.getTime() + patienceMs)

/** Notes that the record of a domain was not found; true where that ends its proof. */
export async function missRecord(of: TenantTx, row: DomainRow, now: Date): Promise<boolean> {
  if (!row.proved_at) {
    await updateDomain(of, row.id, { checked_at: now })
    return false
  }
  const since = row.missing_since ?? now
  const isOver = now >= lostAt(since)
  const lost = isOver ? { proved_at: null, proved_by: null, missing_since: null } : { missing_since: since }
  await updateDomain(of, row.id, { checked_at: now, ...lost })
  return isOver
}
