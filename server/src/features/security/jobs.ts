import { Locale } from '@isotherm/contract/common.ts'
import { writeTime } from '@isotherm/contract/times.ts'
import { z } from 'zod'
import { findCompany } from '../../core/company/company.ts'
import { securityEvent, securityMail } from '../../core/people/security-mail.ts'
import { findUser } from '../../core/people/users.ts'
import { needsSso } from '../../core/sso/needs-sso.ts'
import { factorsOf, hasFactor, peopleWithFactor, takeResets } from '../../platform/auth/factors.ts'
import { identityOf } from '../../platform/auth/identities.ts'
import { asLogin, type Tx, withTenant } from '../../platform/db/transaction.ts'
import { translate } from '../../platform/i18n/i18n.ts'
import { mailRetries } from '../../platform/jobs/retries.ts'
import { letter } from '../../platform/mail/letter.ts'
import type { Job } from '../../platform/services.ts'
import { activePeople } from './queries.ts'

const desk = { address: '', agent: 'provider', requestId: '' }

/** Every minute: mails the people whose second factor the provider took away. */
export const tellResets: Job<Record<string, never>> = {
  ...{ name: 'tell-factor-resets', payload: z.strictObject({}), retryLimit: 0, cron: '* * * * *' },
  run: ({ pool, enqueue }) =>
    asLogin(pool, async ({ tx, client }) => {
      for (const { at, ...person } of await takeResets(tx))
        await enqueue(client, securityMail, securityEvent(person, 'factorResetByProvider', { origin: desk, at }))
    }),
}

const Company = z.strictObject({ companyId: z.number().int() })
const Needed = Company.extend({ userId: z.string(), from: z.iso.datetime() })

/** Has each person of a company without a second factor told from when on they need one, as the company asks for it now. An hour apart at least. */
export const tellFactorNeeded: Job<z.infer<typeof Company>> = {
  ...{ name: 'tell-factor-needed', payload: Company, retryLimit: 8 },
  atMost: { keyOf: ({ companyId }) => String(companyId), everyS: 3_600 },
  run: ({ pool, enqueue }, { companyId }) =>
    asLogin(pool, async ({ tx, client }) => {
      const [from, people] = await withTenant(tx, companyId, async () => [
        (await findCompany(tx, companyId)).second_factor_from,
        await activePeople({ tx, companyId }),
      ])
      if (!from) return
      const having = new Set(await peopleWithFactor(tx, companyId))
      for (const userId of people.filter((id) => !having.has(id)))
        await enqueue(client, factorNeededMail, { companyId, userId, from: from.toISOString() })
    }),
}

/** Mails one of them, in their language; judged now: the date stands, they are in the team, and the second factor is still missing. */
export const factorNeededMail: Job<z.infer<typeof Needed>> = {
  ...{ name: 'factor-needed-mail', payload: Needed, retryLimit: mailRetries, batch: 10 },
  async run(services, needed) {
    const found = await asLogin(services.pool, ({ tx }) => stillNeeded(tx, needed))
    if (!found) return
    const { user, company } = found
    const locale = Locale.parse(user.locale)
    const time = writeTime(locale, user.timezone, new Date(needed.from))
    const values = { person: user.fullname, company: company.name, time }
    const text = (key: string) => translate(locale, `mails:factorNeeded.${key}`, values)
    const mail = letter(user.email, text, `${services.config.publicUrl}/settings/security`)
    await services.mailer.send({ ...mail, key: `factor-needed:${needed.companyId}:${needed.userId}:${needed.from}` })
  },
}

async function stillNeeded(tx: Tx, { companyId, userId, from }: z.infer<typeof Needed>) {
  const [company, user] = await withTenant(tx, companyId, async () => [
    await findCompany(tx, companyId),
    await findUser(tx, companyId, userId),
  ])
  if (company.second_factor_from?.toISOString() !== from || user.archived_at) return undefined
  const identity = await identityOf(tx, companyId, userId)
  if (!identity || hasFactor(await factorsOf(tx, identity.id)) || (await needsSso(tx, identity))) return undefined
  return { company, user }
}
