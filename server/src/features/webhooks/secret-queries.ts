import { type Selectable, sql } from 'kysely'
import type { TenantTx } from '../../platform/context.ts'
import { allRows } from '../../platform/db/rows.ts'
import type { WebhookSecrets } from '../../platform/db/schema.ts'
import type { Tx } from '../../platform/db/transaction.ts'

export type SecretRow = Selectable<WebhookSecrets>

/** The secrets of an endpoint that sign at that time, the newest first. As `app` of the company, or as pipeline. */
export const secretsOf = (tx: Tx, companyId: number, endpointId: string, now: Date): Promise<SecretRow[]> =>
  allRows<SecretRow>(
    tx,
  )`select * from webhook_secrets where company_id = ${companyId} and endpoint_id = ${endpointId}::int8
    and (expires_at is null or expires_at > ${now}) order by id desc`

export const insertSecret = async ({ tx, companyId }: TenantTx, endpointId: string, now: Date): Promise<string> =>
  (
    await tx
      .insertInto('webhook_secrets')
      .values({ company_id: companyId, endpoint_id: endpointId, created_at: now })
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id

/** A secret is sealed in its row, whose id is known once it is there. */
export const setSealed = ({ tx, companyId }: TenantTx, id: string, sealed: Buffer) =>
  tx
    .updateTable('webhook_secrets')
    .set({ secret_sealed: sealed })
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .execute()

export const endSecret = ({ tx, companyId }: TenantTx, id: string, at: Date) =>
  tx
    .updateTable('webhook_secrets')
    .set({ expires_at: at })
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .execute()

/** Deletes those of an endpoint that sign no more. */
export const deleteSecrets = ({ tx, companyId }: TenantTx, endpointId: string, endedBefore: Date) =>
  tx
    .deleteFrom('webhook_secrets')
    .where('company_id', '=', companyId)
    .where('endpoint_id', '=', endpointId)
    .where('expires_at', '<=', endedBefore)
    .execute()

/** Deletes secrets that sign no more, and those of endpoints that were removed. As pipeline. */
export const forgetSecrets = (tx: Tx, now: Date) =>
  sql`
  delete from webhook_secrets s using webhook_endpoints e
  where e.company_id = s.company_id and e.id = s.endpoint_id and (s.expires_at <= ${now} or e.archived_at is not null)`.execute(
    tx,
  )
