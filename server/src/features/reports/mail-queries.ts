import { firstRow } from '../../platform/db/rows.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { type MailedTo, mailedToSql } from './mailed-to-sql.ts'

export interface DueMail extends MailedTo {
  address: string
  name: string | null
  locale: string
  report: string
  from: Date
  to: Date
  zone: string
  /** Null where a run has no file any more. */
  files: { id: string; name: string; format: string; key: string; bytes: number; reportKey: string }[] | null
}

/** A mail that was not sent yet, of a report that is not deleted. */
export const findDueMail = (tx: Tx, companyId: number, mailId: string): Promise<DueMail | undefined> =>
  firstRow<DueMail>(tx)`
    select m.address, m.name, m.locale, r.name as report, n.period_from as from, n.period_to as to, n.timezone as zone,
      ${mailedToSql},
      (select json_agg(json_build_object('id', f.id::text, 'name', f.file_name, 'format', f.format, 'key', f.file_key,
          'bytes', f.size_bytes, 'reportKey', f.report_key) order by f.id)
        from report_files f where f.company_id = m.company_id and f.run_id = m.run_id and f.file_key is not null) as files
    from report_mails m join report_runs n on n.company_id = m.company_id and n.id = m.run_id
      join reports r on r.company_id = n.company_id and r.id = n.report_id
    where m.company_id = ${companyId} and m.id = ${mailId}::int8 and m.sent_at is null and r.archived_at is null`

export const setSent = (tx: Tx, companyId: number, mailId: string, at: Date) =>
  tx
    .updateTable('report_mails')
    .set({ sent_at: at })
    .where('company_id', '=', companyId)
    .where('id', '=', mailId)
    .execute()

interface FailedRun {
  email: string
  name: string
  locale: string
  reportId: string
  report: string
  failure: string
  from: Date
  to: Date
  zone: string
}

/** A run that failed, and who hears of it: whoever its report belongs to, or an Admin where they are gone or may not make reports. */
export const findFailedRun = (tx: Tx, companyId: number, runId: string): Promise<FailedRun | undefined> =>
  firstRow<FailedRun>(tx)`
    select u.email, u.fullname as name, u.locale, r.id as "reportId", r.name as report, n.failure,
      n.period_from as from, n.period_to as to, n.timezone as zone
    from report_runs n join reports r on r.company_id = n.company_id and r.id = n.report_id
      join users u on u.company_id = n.company_id and u.archived_at is null and u.status = 'active'
        and (u.role = 'admin' or u.id = r.runs_as)
    where n.company_id = ${companyId} and n.id = ${runId}::int8 and n.state = 'failed' and r.archived_at is null
    order by (u.id = r.runs_as and n.failure <> 'notAllowed') desc, (u.role = 'admin') desc, u.id limit 1`
