import { Locale } from '@isotherm/contract/common.ts'
import { reportLimits } from '@isotherm/contract/reports.ts'
import { findCompany } from '../../core/company/company.ts'
import { inTenant } from '../../platform/db/transaction.ts'
import { translate } from '../../platform/i18n/i18n.ts'
import { mailRetries } from '../../platform/jobs/retries.ts'
import { letter } from '../../platform/mail/letter.ts'
import type { Job } from '../../platform/services.ts'
import { wordsOf } from '../../reporting/words.ts'
import { findFailedRun } from './mail-queries.ts'
import { RunJob } from './run-job.ts'

/**
 * Tells of a run that came by the clock and failed: nobody sits before the screen then. Whoever the report belongs to hears of it,
 * or an Admin where they are gone or may not make reports any more.
 */
export const failureMail: Job<RunJob> = {
  name: 'report-failed-mail',
  payload: RunJob,
  retryLimit: mailRetries,
  batch: 10,
  async run({ pool, mailer, config }, { companyId, runId }) {
    const found = await inTenant(pool, companyId, async ({ tx }) => {
      const failed = await findFailedRun(tx, companyId, runId)
      return failed && { ...failed, company: (await findCompany(tx, companyId)).name }
    })
    if (!found) return
    const locale = Locale.parse(found.locale)
    const { date } = wordsOf(locale, found.zone)
    const values = {
      ...found,
      from: date(found.from),
      to: date(found.to.getTime() - 1),
      reason: translate(locale, `reports:runs.failure.${found.failure}`, { limit: reportLimits.devices }),
    }
    const text = (key: string) =>
      translate(locale, key === 'greeting' ? 'reports:mail.greeting' : `reports:mail.failed.${key}`, values)
    const mail = letter(found.email, text, `${config.publicUrl}/reports?report=${found.reportId}`)
    await mailer.send({ ...mail, key: `report-failed:${companyId}:${runId}` })
  },
}
