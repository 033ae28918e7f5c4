import { Locale } from '@isotherm/contract/common.ts'
import { z } from 'zod'
import { answeredText } from '../../core/alerts/notice-texts.ts'
import { announce, writeLines } from '../../core/alerts/notification-lines.ts'
import { answerById, markTold, requestById, type UntoldRow, untoldAnswers } from '../../core/support/request-queries.ts'
import { asLogin, asPipeline, inTenant } from '../../platform/db/transaction.ts'
import { translate } from '../../platform/i18n/i18n.ts'
import { eachApart } from '../../platform/jobs/each-apart.ts'
import { mailRetries } from '../../platform/jobs/retries.ts'
import { mailOfParts } from '../../platform/mail/letter.ts'
import type { Job, Services } from '../../platform/services.ts'

const OfRequest = z.strictObject({ companyId: z.number().int(), requestId: z.string() })

/** Mails a request to the provider's desk, in English as its command line is. Without SUPPORT_EMAIL it is in the desk's list only. */
export const requestForDesk: Job<z.infer<typeof OfRequest>> = {
  name: 'support-request',
  payload: OfRequest,
  retryLimit: mailRetries,
  async run({ pool, mailer, config: { supportEmail } }, { companyId, requestId }) {
    if (!supportEmail) return
    const request = await inTenant(pool, companyId, ({ tx }) => requestById({ tx, companyId }, requestId))
    if (!request) return
    const { id, kind, title, description, category, urgency, quantity, item_code: code } = request
    const about = title || category
    const facts = {
      Company: `${request.company} (${companyId})`,
      Person: `${request.fullname} <${request.email}>, ${request.locale}`,
      Category: category,
      Urgency: urgency,
      Wanted: quantity && `${quantity} x ${code}`,
    }
    const mail = mailOfParts(
      supportEmail,
      `Isotherm: ${kind} #${id}${urgency === 'high' ? ' (urgent)' : ''}: ${about}`,
      [
        { lead: `${kind} #${id}: ${about}` },
        { lines: Object.entries(facts).flatMap(([name, fact]) => (fact ? [`${name}: ${fact}`] : [])) },
        ...(description ? [{ lines: description.split(/\r?\n/) }] : []),
        `Answer: npm run provider -- support answer ${id} --text "..."`,
      ],
    )
    await mailer.send({ ...mail, key: `support-request:${companyId}:${id}` })
  },
}

const OfAnswer = z.strictObject({ companyId: z.number().int(), answerId: z.string() })

/** Mails an answer to the person who asked, in their language. */
export const answerMail: Job<z.infer<typeof OfAnswer>> = {
  name: 'support-answer',
  payload: OfAnswer,
  retryLimit: mailRetries,
  async run({ pool, mailer, config: { publicUrl } }, { companyId, answerId }) {
    const answer = await inTenant(pool, companyId, ({ tx }) => answerById({ tx, companyId }, answerId))
    if (!answer?.is_here) return
    const locale = Locale.catch('en').parse(answer.locale)
    const say = (key: string) => translate(locale, `support:mail.${key}`, { name: answer.fullname })
    const subject = answeredText(locale, { title: answer.title, module: answer.category })
    const mail = mailOfParts(answer.email, subject, [
      say('greeting'),
      { lead: subject },
      { lines: answer.text.split(/\r?\n/) },
      { name: say('action'), url: `${publicUrl}/support` },
    ])
    await mailer.send({ ...mail, key: `support-answer:${companyId}:${answerId}` })
  },
}

const maxPerRun = 200

/** Every minute: tells those who asked of the answers that the desk gave meanwhile, in the app and by mail. */
export const tellAnswers: Job<Record<string, never>> = {
  name: 'tell-support-answers',
  payload: z.strictObject({}),
  retryLimit: 0,
  cron: '* * * * *',
  async run(services) {
    const untold = await asPipeline(services.pool, ({ tx }) => untoldAnswers(tx, maxPerRun))
    const failed = ({ company_id: companyId, id }: UntoldRow, err: unknown) =>
      services.log.error({ err, companyId, answer: id }, 'an answer could not be told')
    await eachApart(untold, { failed }, (answer) => tellAnswer(services, answer))
  },
}

/** The mail is asked for first: a server that is killed in between does so twice, and mails of one key are one in the mailbox. */
async function tellAnswer({ pool, bus, clock, enqueue }: Services, answer: UntoldRow): Promise<void> {
  const { company_id: companyId, id, user_id: userId, kind, title, category } = answer
  await asLogin(pool, ({ client }) => enqueue(client, answerMail, { companyId, answerId: id }))
  const now = clock.now()
  const news = await asPipeline(pool, async ({ tx, client }) => {
    if (!(await markTold(tx, answer, now))) return []
    const params = { support: kind, title, module: category }
    const place = { device_id: null, alarm_id: null, trigger_id: null }
    const line = { company_id: companyId, user_id: userId, kind: 'support', severity: 'info' as const }
    return writeLines(client, [{ ...line, ...place, params, at: now }])
  })
  announce(bus, news)
}
