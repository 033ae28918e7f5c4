import type { Checkpoint } from '@isotherm/contract/audit.ts'
import type { Selectable } from 'kysely'
import { findCompany } from '../../core/company/company.ts'
import { checkpointsOf } from '../../platform/audit/checkpoint.ts'
import { allRows } from '../../platform/db/rows.ts'
import type { AuditSettings } from '../../platform/db/schema.ts'
import type { Tx } from '../../platform/db/transaction.ts'

/** The companies whose trails have `entries` unsigned entries, or any and no checkpoint since `since`; whether they want them posted. */
export const companiesToSign = (tx: Tx, entries: number, since: Date) =>
  allRows<{ companyId: number; posts: boolean }>(tx)`
    select h.company_id as "companyId", s.webhook_url is not null as posts
      from audit_heads h
      left join audit_settings s using (company_id)
      left join lateral (select seq, at from audit_checkpoints c where c.company_id = h.company_id
                          order by number desc limit 1) c on true
     where h.seq > coalesce(c.seq, 0)
       and (h.seq - coalesce(c.seq, 0) >= ${entries} or c.at is null or c.at <= ${since})
     order by 1`

interface ToPost {
  url: string
  company: { id: string; name: string }
  checkpoints: Checkpoint[]
}

/** Checkpoints that the company's webhook has not received, at most the newest 100; undefined where it wants none. */
export async function checkpointsToPost(tx: Tx, companyId: number): Promise<ToPost | undefined> {
  const settings = await findSettings(tx, companyId)
  if (!settings?.webhook_url) return undefined
  const sent = BigInt(settings.last_sent_seq ?? 0)
  const checkpoints = (await checkpointsOf(tx, companyId)).filter(({ seq }) => BigInt(seq) > sent).slice(-100)
  const { name } = await findCompany(tx, companyId)
  return { url: settings.webhook_url, company: { id: String(companyId), name }, checkpoints }
}

export type SettingsRow = Selectable<AuditSettings>

/** Where checkpoints are posted, and how that went; undefined where nobody has set it. */
export const findSettings = (tx: Tx, companyId: number): Promise<SettingsRow | undefined> =>
  tx.selectFrom('audit_settings').selectAll().where('company_id', '=', companyId).executeTakeFirst()

/** Another address has heard of nothing yet. */
export async function saveWebhook(tx: Tx, companyId: number, url: string | null, now: Date): Promise<void> {
  const fresh = { webhook_url: url, last_sent_at: null, last_sent_seq: null, last_failure: null, updated_at: now }
  await tx
    .insertInto('audit_settings')
    .values({ company_id: companyId, ...fresh })
    .onConflict((conflict) => conflict.column('company_id').doUpdateSet(fresh))
    .execute()
}

export const noteSent = (tx: Tx, companyId: number, seq: string, now: Date) =>
  tx
    .updateTable('audit_settings')
    .set({ last_sent_at: now, last_sent_seq: seq, last_failure: null })
    .where('company_id', '=', companyId)
    .execute()

export const noteFailure = (tx: Tx, companyId: number, reason: string) =>
  tx.updateTable('audit_settings').set({ last_failure: reason }).where('company_id', '=', companyId).execute()
