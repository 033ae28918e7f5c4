import type { Insertable } from 'kysely'
import type { TenantTx } from '../../platform/context.ts'
import type { Licences } from '../../platform/db/schema.ts'

const columns = [
  'id',
  'key_hash as keyHash',
  'hint',
  'devices',
  'starts_at as startsAt',
  'expires_at as expiresAt',
] as const

/** The licence of a key that the company took, locked. */
export const licenceOf = ({ tx, companyId }: TenantTx, keyHash: Buffer) =>
  tx
    .selectFrom('licences')
    .select(columns)
    .where('company_id', '=', companyId)
    .where('key_hash', '=', keyHash)
    .forNoKeyUpdate()
    .executeTakeFirst()

/**
 * The licences that are not over, locked always in the same order; first those to be used first: of what runs the longest, then
 * what has not begun, the trial last.
 */
export async function lockLicences({ tx, companyId }: TenantTx, now: Date) {
  const rows = await tx
    .selectFrom('licences')
    .select([...columns, 'source'])
    .where('company_id', '=', companyId)
    .where('expires_at', '>', now)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  const rank = ({ source, startsAt }: (typeof rows)[number]) => (source === 'trial' ? 2 : startsAt > now ? 1 : 0)
  return rows.sort((a, b) => rank(a) - rank(b) || b.expiresAt.getTime() - a.expiresAt.getTime() || a.id - b.id)
}

export const insertLicence = ({ tx, companyId }: TenantTx, licence: Omit<Insertable<Licences>, 'company_id'>) =>
  tx
    .insertInto('licences')
    .values({ ...licence, company_id: companyId })
    .returning(columns)
    .executeTakeFirstOrThrow()

export const startLicenceAt = ({ tx, companyId }: TenantTx, id: number, startsAt: Date, expiresAt: Date) =>
  tx
    .updateTable('licences')
    .set({ starts_at: startsAt, expires_at: expiresAt })
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirstOrThrow()

/** Whether it is the licence of the company's trial. */
export async function isTrial({ tx, companyId }: TenantTx, id: number): Promise<boolean> {
  const row = await tx
    .selectFrom('licences')
    .select('source')
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.source === 'trial'
}

/** How many devices a licence serves. */
export async function countDevices({ tx, companyId }: TenantTx, licenceId: number): Promise<number> {
  const { count } = await tx
    .selectFrom('licence_uses')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('company_id', '=', companyId)
    .where('licence_id', '=', licenceId)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Whether the company has had its trial. */
export async function hadTrial({ tx, companyId }: TenantTx): Promise<boolean> {
  const row = await tx
    .selectFrom('licences')
    .select('id')
    .where('company_id', '=', companyId)
    .where('source', '=', 'trial')
    .executeTakeFirst()
  return row !== undefined
}
