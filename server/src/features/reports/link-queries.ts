import { type Insertable, sql } from 'kysely'
import { tellsOfPrivateSql } from '../../core/devices/visible-devices.ts'
import type { ReportLinks } from '../../platform/db/schema.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { type MailedTo, mailedToSql, mayHaveFiles } from './mailed-to-sql.ts'

/** A link that is there already stays as it is. */
export const insertLinks = (tx: Tx, links: Insertable<ReportLinks>[]) =>
  tx
    .insertInto('report_links')
    .values(links)
    .onConflict((conflict) => conflict.columns(['company_id', 'token_hash']).doNothing())
    .execute()

/** The company of a link that is not over; `tx` of role `pipeline`. */
export async function companyOfLink(tx: Tx, hash: Buffer, now: Date): Promise<number | undefined> {
  const query = tx.selectFrom('report_links').select('company_id').where('token_hash', '=', hash)
  return (await query.where('expires_at', '>', now).executeTakeFirst())?.company_id
}

/** Links that are over lead nowhere any more; `tx` of role `pipeline`. */
export const deleteLinksBefore = (tx: Tx, now: Date) =>
  tx.deleteFrom('report_links').where('expires_at', '<=', now).execute()

interface Behind {
  file_key: string | null
  file_name: string
  format: string
  run_id: string
  report_id: string
  name: string
}

/** The file a link leads to, while whom it was given to may have it. */
export async function fileBehind(tx: Tx, companyId: number, hash: Buffer): Promise<Behind | undefined> {
  const { rows } = await sql<Behind & MailedTo & { mailId: string | null; isTheirs: boolean }>`
    select f.file_key, f.file_name, f.format, n.id as run_id, r.id as report_id, r.name, l.mail_id as "mailId",
      exists (select from users u where u.company_id = l.company_id and u.id = l.user_id and (u.archived_at is null or exists (
          select from api_keys k where k.company_id = u.company_id and k.id = u.id and k.revoked_at is null))
        and (u.role = 'admin' or not coalesce(${tellsOfPrivateSql('n')}, true))) as "isTheirs", ${mailedToSql}
    from report_links l join report_files f on f.company_id = l.company_id and f.id = l.file_id
      join report_runs n on n.company_id = f.company_id and n.id = f.run_id
      join reports r on r.company_id = n.company_id and r.id = n.report_id
      left join report_mails m on m.company_id = l.company_id and m.id = l.mail_id
    where l.company_id = ${companyId} and l.token_hash = ${hash} and r.archived_at is null`.execute(tx)
  const found = rows[0]
  if (!found) return undefined
  return (found.mailId ? mayHaveFiles(found) : found.isTheirs) ? found : undefined
}
