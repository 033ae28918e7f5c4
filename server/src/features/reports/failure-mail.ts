import { Locale } from '@isotherm/contract/common.ts'
import { reportLimits } from '@isotherm/contract/reports.ts'
import { sql } from 'kysely'
import { findCompany } from '../../platform/auth/company.ts'
import { inTenant } from '../../platform/db/transaction.ts'
import { translate } from '../../platform/i18n/i18n.ts'
import type { Job } from '../../platform/jobs/jobs.ts'
import { letter } from '../../platform/mail/letter.ts'
import { wordsOf } from '../../reporting/words.ts'
import { RunJob } from './run-job.ts'

interface Failed {
  email: string
  name: string
  locale: string
  report: string
  failure: string
  from: Date
  to: Date
  zone: string
}

/**
 * Tells of a run that came by the clock and failed: nobody sits before the screen then. Whoever the report belongs to hears of it,
 * or an Admin where they are gone or may not make reports any more.
 */
export const failureMail: Job<RunJob> = {
  name: 'report-failed-mail',
  payload: RunJob,
  retryLimit: 8,
  batch: 10,
  async run({ pool, mailer, config }, { companyId, runId }) {
    const found = await inTenant(pool, companyId, async ({ tx }) => {
      const { rows } = await sql<Failed>`
        select u.email, u.fullname as name, u.locale, r.name as report, n.failure, n.period_from as from, n.period_to as to,
          n.timezone as zone
        from report_runs n join reports r on r.company_id = n.company_id and r.id = n.report_id
          join users u on u.company_id = n.company_id and u.archived_at is null and u.status = 'active'
            and (u.role = 'admin' or u.id = r.runs_as)
        where n.company_id = ${companyId} and n.id = ${runId}::int8 and n.state = 'failed' and r.archived_at is null
        order by (u.id = r.runs_as and n.failure <> 'notAllowed') desc, (u.role = 'admin') desc, u.id limit 1`.execute(
        tx,
      )
      return rows[0] && { ...rows[0], company: (await findCompany(tx, companyId)).name }
    })
    if (!found) return
    const locale = Locale.parse(found.locale)
    const { clock } = wordsOf(locale, found.zone)
    const values = {
      ...found,
      from: clock.minute(found.from.getTime()).slice(0, 10),
      to: clock.minute(found.to.getTime() - 1).slice(0, 10),
      reason: translate(locale, `reports:runs.failure.${found.failure}`, { limit: reportLimits.devices }),
    }
    const text = (key: string) =>
      translate(locale, key === 'greeting' ? 'reports:mail.greeting' : `reports:mail.failed.${key}`, values)
    await mailer.send(letter(found.email, text, `${config.publicUrl}/reports`))
  },
}
