import { Locale } from '@isotherm/contract/common.ts'
import { writeTime } from '@isotherm/contract/times.ts'
import { z } from 'zod'
import { adminsOf } from '../../core/billing/payer-queries.ts'
import { type DomainRow, domainById } from '../../core/sso/domain-queries.ts'
import { lostAt } from '../../core/sso/prove-domain.ts'
import { inTenant, type Transaction, withLogin } from '../../platform/db/transaction.ts'
import { translate } from '../../platform/i18n/i18n.ts'
import { mailRetries } from '../../platform/jobs/retries.ts'
import { mailOfParts } from '../../platform/mail/letter.ts'
import type { Job, Services } from '../../platform/services.ts'

const Wanted = z.strictObject({
  companyId: z.number().int(),
  adminId: z.string(),
  domainId: z.string(),
  what: z.enum(['domainMissing', 'domainLost']),
  since: z.iso.datetime(),
})

/** Mails an Admin that the record of a mail domain is missing, or that the domain is proved no more, unless the record was found meanwhile. */
export const domainMail: Job<z.infer<typeof Wanted>> = {
  name: 'sso-domain-mail',
  payload: Wanted,
  retryLimit: mailRetries,
  batch: 10,
  async run({ pool, mailer, config: { publicUrl } }, { companyId, adminId, domainId, what, since }) {
    const { row, to } = await inTenant(pool, companyId, async ({ tx }) => {
      const of = { tx, companyId }
      return { row: await domainById(of, domainId), to: (await adminsOf(of)).find(({ id }) => id === adminId) }
    })
    const isStill = what === 'domainLost' ? row?.proved_at === null : row?.missing_since != null
    if (!row || !to || !isStill) return
    const locale = Locale.catch('en').parse(to.locale)
    const until = writeTime(locale, to.timezone, lostAt(new Date(since)))
    const say = (part: string) => translate(locale, `sso:mail.${part}`, { domain: row.domain, until })
    const mail = mailOfParts(to.email, say(`${what}.subject`), [
      { lead: say(`${what}.lead`) },
      say(`${what}.text`),
      { name: say('action'), url: `${publicUrl}/settings/security/sso` },
    ])
    await mailer.send({ ...mail, key: `sso-domain:${companyId}:${domainId}:${adminId}:${what}:${since}` })
  },
}

/** Has all Admins be mailed: from the day on which a domain is lost, passwords open what single sign-on had guarded. */
export async function tellAdmins(
  { enqueue }: Services,
  { tx, client }: Transaction,
  { company_id: companyId, id: domainId }: DomainRow,
  what: 'domainMissing' | 'domainLost',
  since: Date,
): Promise<void> {
  const admins = await adminsOf({ tx, companyId })
  await withLogin(tx, async () => {
    for (const { id: adminId } of admins)
      await enqueue(client, domainMail, { companyId, adminId, domainId, what, since: since.toISOString() })
  })
}
