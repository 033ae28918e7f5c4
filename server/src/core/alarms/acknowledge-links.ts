import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import { tokenHash } from '../../platform/auth/tokens.ts'
import type { TenantTx } from '../../platform/context.ts'
import { firstRow } from '../../platform/db/rows.ts'
import type { Tx } from '../../platform/db/transaction.ts'

const goodForMs = 48 * 3_600_000

export interface AcknowledgeLink {
  userId: string
  triggerIds: string[]
  createdAt: Date
}

/**
 * The token by which the reader of a delivery acknowledges what it tells of, once; it is good for 48 hours. A delivery that is
 * sent again has the same token: it is derived from the installation's secret, and only its hash is stored. As pipeline.
 */
export async function makeAcknowledgeToken(
  tx: Tx,
  secret: Buffer,
  { companyId, id }: { companyId: number; id: string },
  now: Date,
): Promise<string> {
  const token = createHmac('sha256', secret).update(`acknowledge:${companyId}:${id}`).digest('base64url')
  await sql`
    insert into acknowledge_links (company_id, token_hash, user_id, trigger_ids, created_at, expires_at)
    select d.company_id, ${tokenHash(token)}, d.user_id, array_agg(x.trigger_id), ${now}::timestamptz,
      ${new Date(now.getTime() + goodForMs)}::timestamptz
    from deliveries d join delivery_triggers x on x.company_id = d.company_id and x.delivery_id = d.id
    where d.company_id = ${companyId} and d.id = ${id}::int8 and d.user_id is not null
    group by d.company_id, d.id on conflict (company_id, token_hash) do nothing`.execute(tx)
  return token
}

/** The company and person of a token that is unused and not over; the person has joined and was not removed. As pipeline. */
export const findAcknowledgeLink = (tx: Tx, token: string, now: Date) =>
  firstRow<{ companyId: number } & AcknowledgeLink>(tx)`
    select l.company_id as "companyId", l.user_id as "userId", l.trigger_ids as "triggerIds", l.created_at as "createdAt"
    from acknowledge_links l join users u on u.company_id = l.company_id and u.id = l.user_id
    where l.token_hash = ${tokenHash(token)} and l.used_at is null and l.expires_at > ${now}
      and u.archived_at is null and u.status = 'active'`

/** Uses a link up; false where somebody was faster. */
export const consumeAcknowledgeLink = async (
  { tx, companyId }: TenantTx,
  token: string,
  now: Date,
): Promise<boolean> => {
  const used = await firstRow<{ user_id: string }>(tx)`
    update acknowledge_links set used_at = ${now}
    where company_id = ${companyId} and token_hash = ${tokenHash(token)} and used_at is null and expires_at > ${now}
    returning user_id`
  return used !== undefined
}

/** Forgets links that are over. As pipeline. */
export const deleteAcknowledgeLinksBefore = (tx: Tx, now: Date) =>
  sql`delete from acknowledge_links where expires_at <= ${now}`.execute(tx)
