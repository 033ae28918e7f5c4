import { Locale, localeNames, withoutLink } from '@isotherm/contract/common.ts'
import { z } from 'zod'
import { findCompany } from '../../core/company/company.ts'
import { releaseAddress } from '../../core/people/unverified.ts'
import type { UserRow } from '../../core/people/users.ts'
import { createIdentity, identityOf } from '../../platform/auth/identities.ts'
import { createLink, sendLink } from '../../platform/auth/mail-links.ts'
import { asLogin, type Tx, withTenant } from '../../platform/db/transaction.ts'
import { translate } from '../../platform/i18n/i18n.ts'
import { mailRetries } from '../../platform/jobs/retries.ts'
import { letter } from '../../platform/mail/letter.ts'
import type { Job } from '../../platform/services.ts'
import { findUser } from './queries.ts'

const Elsewhere = z.object({ to: z.string(), name: z.string(), company: z.string(), locale: z.enum(localeNames) })

/** Tells somebody who has an account with another company that they were invited; whoever invited them is not told. */
export const invitedElsewhere: Job<z.infer<typeof Elsewhere>> = {
  name: 'invited-elsewhere',
  payload: Elsewhere,
  retryLimit: mailRetries,
  async run({ mailer, config }, { to, name, company, locale }) {
    const names = { name: withoutLink(name), company: withoutLink(company) }
    const text = (key: string) => translate(locale, `mails:elsewhere.${key}`, { ...names, email: to })
    await mailer.send(letter(to, text, `${config.publicUrl}/login`))
  },
}

const Wanted = z.object({ companyId: z.number().int(), userId: z.string() })

/**
 * Gives an invited person a login without a password and mails the invitation; earlier ones stop working. Whether their address
 * is somebody's elsewhere shows only here, behind the answer: it tells the company that invites nothing.
 */
export const invitationWanted: Job<z.infer<typeof Wanted>> = {
  name: 'invitation-wanted',
  payload: Wanted,
  retryLimit: 8,
  async run({ pool, secret, clock, enqueue }, { companyId, userId }) {
    await asLogin(pool, async ({ tx, client }) => {
      const [member, company] = await withTenant(tx, companyId, async () => [
        await findUser(tx, companyId, userId),
        await findCompany(tx, companyId),
      ])
      if (member?.status !== 'invited') return
      const now = clock.now()
      const locale = Locale.parse(member.locale)
      const mail = { to: member.email, name: member.fullname, company: company.name, locale }
      const identityId = await loginOf(tx, member, now)
      if (!identityId) return enqueue(client, invitedElsewhere, mail)
      const tokenId = await createLink(tx, secret, { identityId, purpose: 'invite', now })
      await enqueue(client, sendLink, { ...mail, tokenId, purpose: 'invite' })
    })
  },
}

/** The login of an invited person, made where they have none; undefined where the address is somebody's elsewhere. */
async function loginOf(tx: Tx, { company_id: companyId, id: userId, email }: UserRow, now: Date) {
  const known = await identityOf(tx, companyId, userId)
  if (known) return known.id
  await releaseAddress(tx, email, now)
  return createIdentity(tx, { email, companyId, userId, passwordHash: null, now })
}
