import { Locale } from '@isotherm/contract/common.ts'
import { writeTime } from '@isotherm/contract/times.ts'
import { z } from 'zod'
import { adminsOf } from '../../core/billing/payer-queries.ts'
import { type EndingKey, endingKeys, noteEndTold } from '../../core/developer/end-queries.ts'
import { findKeyRow } from '../../core/developer/key-queries.ts'
import { asPipeline, inTenant, withLogin } from '../../platform/db/transaction.ts'
import { translate } from '../../platform/i18n/i18n.ts'
import { eachApart } from '../../platform/jobs/each-apart.ts'
import { mailRetries } from '../../platform/jobs/retries.ts'
import { mailOfParts } from '../../platform/mail/letter.ts'
import type { Job, Services } from '../../platform/services.ts'

const maxPerRun = 500
const dayMs = 86_400_000

const Wanted = z.strictObject({
  companyId: z.number().int(),
  keyId: z.string(),
  adminId: z.string(),
  days: z.number().int(),
})

/** Mails an Admin that a key ends, unless it was prolonged or revoked meanwhile. */
export const keyEndMail: Job<z.infer<typeof Wanted>> = {
  name: 'key-end-mail',
  payload: Wanted,
  retryLimit: mailRetries,
  batch: 10,
  async run({ pool, mailer, clock, config: { publicUrl } }, { companyId, keyId, adminId, days }) {
    const found = await inTenant(pool, companyId, async ({ tx }) => {
      const of = { tx, companyId }
      return { key: await findKeyRow(of, keyId), to: (await adminsOf(of)).find(({ id }) => id === adminId) }
    })
    const { key, to } = found
    const leftMs = (key?.expires_at.getTime() ?? 0) - clock.now().getTime()
    if (!key || !to || key.revoked_at || leftMs > days * dayMs) return
    const locale = Locale.catch('en').parse(to.locale)
    const values = { name: key.name, end: writeTime(locale, to.timezone, key.expires_at), count: days }
    const say = (what: string) => translate(locale, `developer:mail.${what}`, values)
    const mail = mailOfParts(to.email, say('subject'), [
      { lead: say('lead') },
      say('text'),
      { name: say('action'), url: `${publicUrl}/developers` },
    ])
    await mailer.send({ ...mail, key: `key-end:${companyId}:${keyId}:${adminId}:${days}` })
  },
}

/** Every hour: tells the Admins of keys that end in 30 days, in a week, and tomorrow. */
export const tellKeyEnds: Job<Record<string, never>> = {
  name: 'tell-key-ends',
  payload: z.strictObject({}),
  retryLimit: 0,
  cron: '50 * * * *',
  async run(services) {
    const now = services.clock.now()
    const ending = await asPipeline(services.pool, ({ tx }) => endingKeys(tx, now, maxPerRun))
    const failed = ({ company_id: companyId, id }: EndingKey, err: unknown) =>
      services.log.error({ err, companyId, key: id }, 'that a key ends could not be told')
    await eachApart(ending, { failed }, (row) => tell(services, row, now))
  },
}

const tell = ({ pool, enqueue }: Services, { company_id: companyId, id: keyId }: EndingKey, now: Date) =>
  inTenant(pool, companyId, async ({ tx, client }) => {
    const of = { tx, companyId }
    const told = await noteEndTold(of, keyId, now)
    if (!told) return
    const admins = await adminsOf(of)
    await withLogin(tx, async () => {
      for (const { id: adminId } of admins)
        await enqueue(client, keyEndMail, { companyId, keyId, adminId, days: told.told_days })
    })
  })
