import { type Selectable, sql, type Updateable } from 'kysely'
import type { TenantTx } from '../../platform/context.ts'
import type { SsoDomains } from '../../platform/db/schema.ts'
import type { Tx } from '../../platform/db/transaction.ts'

export type DomainRow = Selectable<SsoDomains>

export const domainsOf = ({ tx, companyId }: TenantTx): Promise<DomainRow[]> =>
  tx.selectFrom('sso_domains').selectAll().where('company_id', '=', companyId).orderBy('domain').execute()

/** The names of the domains that the company has proved. */
export async function provedDomains({ tx, companyId }: TenantTx): Promise<ReadonlySet<string>> {
  const rows = await tx
    .selectFrom('sso_domains')
    .select('domain')
    .where('company_id', '=', companyId)
    .where('proved_at', 'is not', null)
    .execute()
  return new Set(rows.map(({ domain }) => domain))
}

export const domainById = ({ tx, companyId }: TenantTx, id: string): Promise<DomainRow | undefined> =>
  tx
    .selectFrom('sso_domains')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()

export const domainByName = ({ tx, companyId }: TenantTx, domain: string): Promise<DomainRow | undefined> =>
  tx
    .selectFrom('sso_domains')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('domain', '=', domain)
    .forUpdate()
    .executeTakeFirst()

/** Names a domain; undefined where the company has named it already. */
export const insertDomain = (
  { tx, companyId }: TenantTx,
  about: { domain: string; token: string; now: Date },
): Promise<DomainRow | undefined> =>
  tx
    .insertInto('sso_domains')
    .values({ company_id: companyId, domain: about.domain, token: about.token, created_at: about.now })
    .onConflict((conflict) => conflict.columns(['company_id', 'domain']).doNothing())
    .returningAll()
    .executeTakeFirst()

/** Changes a domain; fails with SQLSTATE 23P01 where it would be proved by a second company. */
export const updateDomain = ({ tx, companyId }: TenantTx, id: string, change: Updateable<SsoDomains>) =>
  tx.updateTable('sso_domains').set(change).where('company_id', '=', companyId).where('id', '=', id).execute()

export const deleteDomain = ({ tx, companyId }: TenantTx, id: string) =>
  tx.deleteFrom('sso_domains').where('company_id', '=', companyId).where('id', '=', id).execute()

/** Domains proved by DNS that were not looked at since then, in no order: those whose name servers say nothing stay due, and would come first. As pipeline. */
export const domainsToCheck = (tx: Tx, before: Date, max: number): Promise<DomainRow[]> =>
  tx
    .selectFrom('sso_domains')
    .selectAll()
    .where('proved_by', '=', 'dns')
    .where('checked_at', '<', before)
    .orderBy(sql`random()`)
    .limit(max)
    .execute()
