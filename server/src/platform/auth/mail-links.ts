import { randomBytes } from 'node:crypto'
import { type Locale, localeNames, withoutLink } from '@isotherm/contract/common.ts'
import { z } from 'zod'
import { asLogin, type Tx } from '../db/transaction.ts'
import { translate } from '../i18n/i18n.ts'
import { mailRetries } from '../jobs/retries.ts'
import { letter } from '../mail/letter.ts'
import type { Job } from '../services.ts'
import { mailToken, tokenHash } from './tokens.ts'

export type LinkPurpose = 'verify' | 'reset' | 'invite'

export const linkLifetimeMs: Record<LinkPurpose, number> = {
  verify: 3 * 86_400_000,
  reset: 3_600_000,
  invite: 7 * 86_400_000,
}
/** The most reset links of a person that are valid at once: asking again does not end the link that is under way. */
const maxResets = 5
const screens: Record<LinkPurpose, string> = { verify: 'verify', reset: 'reset', invite: 'usersetup' }

const Payload = z.object({
  tokenId: z.string(),
  purpose: z.enum(['verify', 'reset', 'invite']),
  to: z.string(),
  name: z.string(),
  company: z.string(),
  locale: z.enum(localeNames),
})

/** Mails a single-use link, unless it is over by now. The job holds no token: it is derived anew from its row's id. */
export const sendLink: Job<z.infer<typeof Payload>> = {
  name: 'mail-link',
  payload: Payload,
  retryLimit: mailRetries,
  batch: 10,
  async run({ config, secret, mailer, pool, clock }, { tokenId, purpose, to, name, company, locale }) {
    if (await asLogin(pool, ({ tx }) => isOver(tx, tokenId, clock.now()))) return
    // Browsers send the part after the # to no server, so no proxy logs it.
    const link = `${config.publicUrl}/${screens[purpose]}#${mailToken(secret, tokenId)}`
    const time = inWords(locale, linkLifetimeMs[purpose])
    // Chosen by whoever registers or invites, as the address is.
    const names = { name: withoutLink(name), company: withoutLink(company) }
    const text = (key: string) => translate(locale, `mails:${purpose}.${key}`, { ...names, time })
    await mailer.send(letter(to, text, link))
  },
}

/** Makes a link of this kind, ends earlier ones of the same kind (the latest resets stay valid), and returns its row's id. As the login role. */
export async function createLink(
  tx: Tx,
  secret: Buffer,
  about: { identityId: string; purpose: LinkPurpose; now: Date },
): Promise<string> {
  const { identityId, purpose, now } = about
  await tx
    .updateTable('mail_tokens')
    .set({ used_at: now })
    .where('identity_id', '=', identityId)
    .where('purpose', '=', purpose)
    .where('used_at', 'is', null)
    .where('id', 'not in', (kept) =>
      kept
        .selectFrom('mail_tokens')
        .select('id')
        .where('identity_id', '=', identityId)
        .where('purpose', '=', purpose)
        .orderBy('id', 'desc')
        .limit(purpose === 'reset' ? maxResets - 1 : 0),
    )
    .execute()
  const { id } = await tx
    .insertInto('mail_tokens')
    .values({
      token_hash: randomBytes(32),
      purpose,
      identity_id: identityId,
      created_at: now,
      expires_at: new Date(now.getTime() + linkLifetimeMs[purpose]),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await tx
    .updateTable('mail_tokens')
    .set({ token_hash: tokenHash(mailToken(secret, id)) })
    .where('id', '=', id)
    .execute()
  return id
}

export interface Link {
  id: string
  identityId: string
  email: string
  companyId: number
  userId: string
  usedAt: Date | null
}

/** The link a token belongs to, or undefined when it is unknown or expired. Looking consumes nothing. As the login role. */
export async function findLink(tx: Tx, token: string, purpose: LinkPurpose, now: Date): Promise<Link | undefined> {
  const row = await tx
    .selectFrom('mail_tokens')
    .innerJoin('identities', 'identities.id', 'mail_tokens.identity_id')
    .select([
      'mail_tokens.id as id',
      'mail_tokens.used_at as usedAt',
      'identities.id as identityId',
      'identities.email as email',
      'identities.company_id as companyId',
      'identities.user_id as userId',
    ])
    .where('token_hash', '=', tokenHash(token))
    .where('purpose', '=', purpose)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return row
}

/** Whether a link has expired. As the login role. */
async function isOver(tx: Tx, id: string, now: Date): Promise<boolean> {
  const over = tx.selectFrom('mail_tokens').select('id').where('id', '=', id).where('expires_at', '<=', now)
  return (await over.executeTakeFirst()) !== undefined
}

/** Uses the link up; false when someone was faster. As the login role. */
export async function consumeLink(tx: Tx, id: string, now: Date): Promise<boolean> {
  const result = await tx
    .updateTable('mail_tokens')
    .set({ used_at: now })
    .where('id', '=', id)
    .where('used_at', 'is', null)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

/** Ends every link of a person that is still unused. As the login role. */
export async function endLinks(tx: Tx, identityId: string, now: Date): Promise<void> {
  await tx
    .updateTable('mail_tokens')
    .set({ used_at: now })
    .where('identity_id', '=', identityId)
    .where('used_at', 'is', null)
    .execute()
}

/** "24 hours", "7 days". */
function inWords(locale: Locale, ms: number): string {
  const hours = ms / 3_600_000
  const write = (unit: string, value: number) =>
    new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(value)
  return hours > 48 ? write('day', hours / 24) : write('hour', hours)
}
