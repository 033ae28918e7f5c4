import type { TenantTx } from '../../platform/context.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { type DomainRow, updateDomain } from './domain-queries.ts'

/** The DNS record (TXT) of a domain that proves whose it is. */
export const recordOf = ({ token }: Pick<DomainRow, 'token'>): string => `isotherm-verification=${token}`

const isTaken = (error: unknown) => error instanceof Error && 'code' in error && error.code === '23P01'

/** Notes that a domain is the company's. Throws DOMAIN_TAKEN where another company has proved it. */
export async function proveDomain(of: TenantTx, row: DomainRow, by: 'dns' | 'provider', now: Date): Promise<void> {
  const proof = { proved_at: row.proved_at ?? now, proved_by: by, checked_at: now, missing_since: null }
  await updateDomain(of, row.id, proof).catch((error: unknown) => {
    throw isTaken(error) ? new AppError('DOMAIN_TAKEN') : error
  })
}

/** A proved domain without its record stays the company's for so long. */
const patienceMs = 7 * 86_400_000

/** Notes that the record of a domain was not found; true where that ends its proof. */
export async function missRecord(of: TenantTx, row: DomainRow, now: Date): Promise<boolean> {
  if (!row.proved_at) {
    await updateDomain(of, row.id, { checked_at: now })
    return false
  }
  const since = row.missing_since ?? now
  const isOver = now.getTime() - since.getTime() >= patienceMs
  const lost = isOver ? { proved_at: null, proved_by: null, missing_since: null } : { missing_since: since }
  await updateDomain(of, row.id, { checked_at: now, ...lost })
  return isOver
}
