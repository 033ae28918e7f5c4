import { Locale, withoutLink } from '@isotherm/contract/common.ts'
import { reportLimits } from '@isotherm/contract/reports.ts'
import { z } from 'zod'
import { findCompany } from '../../core/company/company.ts'
import { inTenant } from '../../platform/db/transaction.ts'
import { openFiles } from '../../platform/files/files.ts'
import { translate } from '../../platform/i18n/i18n.ts'
import { mailRetries } from '../../platform/jobs/retries.ts'
import { letter, mailOfParts } from '../../platform/mail/letter.ts'
import type { Job, Services } from '../../platform/services.ts'
import { contentTypes } from '../../reporting/content-types.ts'
import { wordsOf } from '../../reporting/words.ts'
import { type FileLink, linksTo } from './links.ts'
import { type DueMail, findDueMail, setSent } from './mail-queries.ts'
import { mayHaveFiles } from './mailed-to-sql.ts'

const MailJob = z.object({ companyId: z.number().int(), mailId: z.string() })
type MailJob = z.infer<typeof MailJob>

interface Due extends DueMail {
  company: string
  files: NonNullable<DueMail['files']>
}

const dayMs = 86_400_000

/**
 * Mails a run to one of its recipients, unless they are none by now: the PDF if it is small, and links to everything. Once.
 * A recipient who may not hear of its private devices only learns that the run exists.
 */
export const mailRun: Job<MailJob> = {
  name: 'report-run-mail',
  payload: MailJob,
  retryLimit: mailRetries,
  batch: 10,
  async run(services, job) {
    const found = await inTenant(services.pool, job.companyId, async ({ tx }) => {
      const due = await findDueMail(tx, job.companyId, job.mailId)
      if (!due?.files || !due.isRecipient) return undefined
      const files = mayHaveFiles(due) ? due.files : []
      const links = await linksTo(
        services,
        { tx, companyId: job.companyId },
        files.map(({ id }) => id),
        { forMs: reportLimits.linkDays * dayMs, mailId: job.mailId },
      )
      return { due: { ...due, files, company: (await findCompany(tx, job.companyId)).name }, links }
    })
    if (!found) return
    const mail = await mailOf(services, found.due, found.links)
    await services.mailer.send({ ...mail, key: `report-run:${job.companyId}:${job.mailId}` })
    await inTenant(services.pool, job.companyId, ({ tx }) =>
      setSent(tx, job.companyId, job.mailId, services.clock.now()),
    )
  },
}

async function mailOf({ config }: Services, due: Due, links: ReadonlyMap<string, FileLink>) {
  const locale = Locale.parse(due.locale)
  const { date, time } = wordsOf(locale, due.zone)
  const about = {
    name: due.name ?? due.address,
    report: due.name === null ? withoutLink(due.report) : due.report,
    company: withoutLink(due.company),
    // Its days: a period ends as the day after its last begins.
    from: date(due.from),
    to: date(due.to.getTime() - 1),
    zone: due.zone,
  }
  const text = (key: string, more: object = {}) => translate(locale, `reports:mail.${key}`, { ...about, ...more })
  const [first] = links.values()
  if (!first) {
    const withheld = (key: string) => text(key === 'subject' || key === 'greeting' ? key : `withheld.${key}`)
    return letter(due.address, withheld, `${config.publicUrl}/reports`)
  }
  const pdf = due.files.find(({ format }) => format === 'pdf')
  const proof = {
    until: time(first.expiresAt),
    verify: `${config.publicUrl}/verify-report/${(pdf ?? due.files[0])?.reportKey}`,
  }
  const mail = mailOfParts(due.address, text('subject'), [
    text('greeting'),
    text('body'),
    { links: due.files.map(({ id, name }) => ({ name, url: links.get(id)?.url ?? '' })) },
    text('links', proof),
    text('note', proof),
  ])
  if (!pdf || pdf.bytes >= reportLimits.mailBytes) return mail
  const attachment = {
    filename: pdf.name,
    contentType: contentTypes.pdf ?? '',
    path: await openFiles(config).needPath(pdf.key),
  }
  return { ...mail, attachments: [attachment] }
}
