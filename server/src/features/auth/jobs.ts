import { Locale } from '@isotherm/contract/common.ts'
import { isOfSandbox } from '@isotherm/contract/sandbox.ts'
import { z } from 'zod'
import { findCompany } from '../../core/company/company.ts'
import { findUser } from '../../core/people/users.ts'
import { writeAudit } from '../../platform/audit/audit.ts'
import { findIdentity, type Identity, identityById } from '../../platform/auth/identities.ts'
import { createLink, sendLink } from '../../platform/auth/mail-links.ts'
import { asLogin, inTenant, type Tx, withTenant } from '../../platform/db/transaction.ts'
import { translate } from '../../platform/i18n/i18n.ts'
import { mailRetries } from '../../platform/jobs/retries.ts'
import { letter } from '../../platform/mail/letter.ts'
import type { Job } from '../../platform/services.ts'
import { targetOf } from './present.ts'

// Work that depends on whether a mail address is known happens here, behind the answer: its time tells the caller nothing.

async function addressee(tx: Tx, { companyId, userId, email }: Identity) {
  const [user, company] = await withTenant(tx, companyId, async () => [
    await findUser(tx, companyId, userId),
    await findCompany(tx, companyId),
  ])
  return { to: email, name: user.fullname, company: company.name, locale: Locale.parse(user.locale) }
}

const LinkWanted = z.object({
  email: z.string(),
  purpose: z.enum(['verify', 'reset']),
  /** Whether a mail will come of it, as it looked when it was asked for. */
  hasUse: z.boolean().default(true),
})
type LinkWanted = z.infer<typeof LinkWanted>

/** Whether somebody who asks for a link gets one: the person of a sandbox never does. */
const hasUse = (identity: Identity | undefined, purpose: LinkWanted['purpose']): identity is Identity =>
  identity !== undefined &&
  !isOfSandbox(identity.email) &&
  !(purpose === 'verify' && (identity.verifiedAt !== null || !identity.passwordHash))

/**
 * The job for a link that somebody asks for; as the login role. Whatever is found, the same is done: only the job's place
 * in its queue differs, so that a flood of unknown addresses keeps nobody from their mail.
 */
export async function linkJob(tx: Tx, email: string, purpose: LinkWanted['purpose']): Promise<LinkWanted> {
  return { email, purpose, hasUse: hasUse(await findIdentity(tx, email), purpose) }
}

/** Somebody asked for a link by mail: made and sent if the address is known and has a use for it. */
export const linkWanted: Job<LinkWanted> = {
  name: 'link-wanted',
  payload: LinkWanted,
  retryLimit: 8,
  batch: 50,
  isLast: (payload) => !payload.hasUse,
  async run({ pool, secret, clock, enqueue }, { email, purpose }) {
    await asLogin(pool, async ({ tx, client }) => {
      const identity = await findIdentity(tx, email)
      if (!hasUse(identity, purpose)) return
      const to = await addressee(tx, identity)
      const tokenId = await createLink(tx, secret, { identityId: identity.id, purpose, now: clock.now() })
      await enqueue(client, sendLink, { tokenId, purpose, ...to })
    })
  },
}

const ByAddress = z.object({ email: z.string() })

/** Tells the owner of an address that somebody registered with it again. */
export const alreadyRegistered: Job<z.infer<typeof ByAddress>> = {
  name: 'already-registered',
  payload: ByAddress,
  retryLimit: mailRetries,
  batch: 10,
  async run({ pool, mailer, config }, { email }) {
    const found = await asLogin(pool, async ({ tx }) => {
      const identity = await findIdentity(tx, email)
      return identity && addressee(tx, identity)
    })
    if (!found) return
    const { to, locale, name } = found
    const text = (key: string) => translate(locale, `mails:registered.${key}`, { name, email })
    await mailer.send(letter(to, text, `${config.publicUrl}/login`))
  },
}

const RefusalReason = z.enum(['wrongPassword', 'unverified', 'wrongCode', 'wrongPasskey', 'ssoNeeded'])
export type RefusalReason = z.infer<typeof RefusalReason>

const Refusal = z.object({
  identityId: z.string().nullable(),
  reason: RefusalReason,
  at: z.iso.datetime(),
  origin: z.object({ address: z.string(), agent: z.string(), requestId: z.string() }),
})

/** Notes a refused sign-in in the trail of the person's company, if the address was somebody's. */
export const signInRefused: Job<z.infer<typeof Refusal>> = {
  name: 'sign-in-refused',
  payload: Refusal,
  retryLimit: 3,
  batch: 50,
  async run({ pool }, { identityId, reason, at, origin }) {
    if (!identityId) return
    const identity = await asLogin(pool, ({ tx }) => identityById(tx, identityId))
    if (!identity) return
    const { companyId, userId } = identity
    await inTenant(pool, companyId, async ({ tx }) => {
      const target = targetOf(await findUser(tx, companyId, userId))
      const about = { actor: { kind: 'guest' as const }, origin, at: new Date(at) }
      await writeAudit(tx, companyId, about, [{ action: 'auth.refused', target, reason }])
    })
  },
}
