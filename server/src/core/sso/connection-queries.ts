import type { Insertable, Selectable, Updateable } from 'kysely'
import type { TenantTx } from '../../platform/context.ts'
import type { SsoConnections } from '../../platform/db/schema.ts'
import type { Tx } from '../../platform/db/transaction.ts'

export type ConnectionRow = Selectable<SsoConnections>

/** The company's connection to its issuer. In the tenant's transaction, or as pipeline. */
export const connectionOf = ({ tx, companyId }: TenantTx): Promise<ConnectionRow | undefined> =>
  tx.selectFrom('sso_connections').selectAll().where('company_id', '=', companyId).executeTakeFirst()

/** The same, locked until the transaction ends. */
export const lockConnection = ({ tx, companyId }: TenantTx): Promise<ConnectionRow | undefined> =>
  tx.selectFrom('sso_connections').selectAll().where('company_id', '=', companyId).forUpdate().executeTakeFirst()

/** The same, held as it is until the transaction ends: who changes it waits, and ends afterwards what a login began meanwhile. */
export const holdConnection = ({ tx, companyId }: TenantTx): Promise<ConnectionRow | undefined> =>
  tx.selectFrom('sso_connections').selectAll().where('company_id', '=', companyId).forShare().executeTakeFirst()

/** The connection, switched on, of the company that has proved a mail domain. As pipeline. */
export const connectionOfDomain = (tx: Tx, domain: string): Promise<ConnectionRow | undefined> =>
  tx
    .selectFrom('sso_connections as c')
    .innerJoin('sso_domains as d', 'd.company_id', 'c.company_id')
    .selectAll('c')
    .where('d.domain', '=', domain)
    .where('d.proved_at', 'is not', null)
    .where('c.state', '!=', 'off')
    .executeTakeFirst()

/** Keeps the first connection of a company; false where there is one by now. */
export async function insertConnection(tx: Tx, connection: Insertable<SsoConnections>): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('sso_connections')
    .values(connection)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

export const updateConnection = (
  { tx, companyId }: TenantTx,
  change: Updateable<SsoConnections>,
): Promise<ConnectionRow> =>
  tx
    .updateTable('sso_connections')
    .set(change)
    .where('company_id', '=', companyId)
    .returningAll()
    .executeTakeFirstOrThrow()

export const deleteConnection = ({ tx, companyId }: TenantTx) =>
  tx.deleteFrom('sso_connections').where('company_id', '=', companyId).execute()

/** Connections whose issuer was not asked since then, the longest ago first. As pipeline. */
export const connectionsToAsk = (tx: Tx, before: Date, max: number): Promise<ConnectionRow[]> =>
  tx.selectFrom('sso_connections').selectAll().where('asked_at', '<', before).orderBy('asked_at').limit(max).execute()
