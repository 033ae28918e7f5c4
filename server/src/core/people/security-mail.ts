import { Locale } from '@isotherm/contract/common.ts'
import { writeTime } from '@isotherm/contract/times.ts'
import { z } from 'zod'
import type { Origin } from '../../platform/audit/audit.ts'
import { agentWords } from '../../platform/auth/agent-words.ts'
import { inTenant } from '../../platform/db/transaction.ts'
import { translate } from '../../platform/i18n/i18n.ts'
import { mailRetries } from '../../platform/jobs/retries.ts'
import { letter } from '../../platform/mail/letter.ts'
import type { Job } from '../../platform/services.ts'
import { findUser } from './users.ts'

/** The events that a person is told of, because a thief would cause them. */
const kinds = [
  'newLogin',
  'wrongCodes',
  'codesOn',
  'codesOff',
  'recoveryCodesMade',
  'recoveryCodeUsed',
  'passkeyAdded',
  'passkeyRemoved',
  'factorReset',
  'factorResetByProvider',
] as const

const SecurityEvent = z.object({
  companyId: z.number().int(),
  userId: z.string(),
  kind: z.enum(kinds),
  at: z.iso.datetime(),
  address: z.string(),
  agent: z.string(),
  /** The name of a passkey, or of the Admin who reset. */
  name: z.string().default(''),
  /** Recovery codes that are left. */
  left: z.number().int().default(0),
})
export type SecurityEvent = z.infer<typeof SecurityEvent>

/** The payload of the mail about something that happened to a person's login now, from there. */
export const securityEvent = (
  person: { companyId: number; userId: string },
  kind: SecurityEvent['kind'],
  { origin, at, ...more }: { origin: Origin; at: Date; name?: string; left?: number },
): SecurityEvent => ({
  ...{ name: '', left: 0, ...more },
  ...{ ...person, kind, at: at.toISOString(), address: origin.address, agent: origin.agent },
})

/** Mails a person what happened to their login. */
export const securityMail: Job<SecurityEvent> = {
  name: 'security-mail',
  payload: SecurityEvent,
  retryLimit: mailRetries,
  batch: 10,
  async run({ pool, mailer, config }, { companyId, userId, kind, at, address, agent, name, left }) {
    const user = await inTenant(pool, companyId, ({ tx }) => findUser(tx, companyId, userId))
    if (user.archived_at) return
    const locale = Locale.parse(user.locale)
    const { browser, system } = agentWords(agent)
    const values = {
      ...{ person: user.fullname, name, left, address, time: writeTime(locale, user.timezone, new Date(at)) },
      browser: [browser, system].filter(Boolean).join(', ') || translate(locale, 'mails:security.unknownBrowser'),
    }
    // The provider's desk has no browser and no address.
    const own = ['subject', 'body', ...(kind === 'factorResetByProvider' ? ['note'] : [])]
    const text = (key: string) =>
      translate(locale, own.includes(key) ? `mails:security.${kind}.${key}` : `mails:security.${key}`, values)
    await mailer.send(letter(user.email, text, `${config.publicUrl}/settings/security`))
  },
}
