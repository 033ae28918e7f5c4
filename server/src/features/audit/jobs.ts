import { z } from 'zod'
import { signingSecret } from '../../core/alerts/webhook-key.ts'
import { BrokenTrail, signTrail } from '../../platform/audit/checkpoint.ts'
import { signingKeys } from '../../platform/config/signing-keys.ts'
import { asLogin, asPipeline, inTenant } from '../../platform/db/transaction.ts'
import { eachApart } from '../../platform/jobs/each-apart.ts'
import { postWebhook } from '../../platform/messaging/webhook.ts'
import type { Job, Services } from '../../platform/services.ts'
import { checkpointsToPost, companiesToSign, noteFailure, noteSent } from './checkpoint-queries.ts'

/** A trail is signed when it has grown by so many entries, or by any in the last hour. */
const everyEntries = 500
const everyMs = 3_600_000

/** Every five minutes: signs the trails that have grown, and has the checkpoints posted to where a company wants them. */
export const signTrails: Job<Record<string, never>> = {
  name: 'sign-audit-trails',
  payload: z.strictObject({}),
  retryLimit: 3,
  cron: '*/5 * * * *',
  async run(services) {
    const keys = await signingKeys(services.config.dataDir)
    const now = services.clock.now()
    const due = await asPipeline(services.pool, ({ tx }) =>
      companiesToSign(tx, everyEntries, new Date(now.getTime() - everyMs)),
    )
    // One company's broken trail must not keep the others from being signed.
    const failed = ({ companyId }: (typeof due)[number], err: unknown) =>
      err instanceof BrokenTrail
        ? services.log.error({ companyId }, err.message)
        : services.log.error({ err, companyId }, 'a trail could not be signed')
    await eachApart(due, { failed }, async ({ companyId, posts }) => {
      const signed = await services.ledger.last(companyId)
      const made = await asPipeline(services.pool, ({ tx }) => signTrail(tx, companyId, { keys, signed, now }))
      if (made) await services.ledger.note([made])
      if (made && posts) await enqueuePosting(services, companyId)
    })
  },
}

const enqueuePosting = (services: Services, companyId: number) =>
  asLogin(services.pool, ({ client }) => services.enqueue(client, postCheckpoints, { companyId }))

const Posting = z.object({ companyId: z.number().int().positive() })

/** Posts what was signed since the last time it was heard of, in the shape of the checkpoint file. */
export const postCheckpoints: Job<z.infer<typeof Posting>> = {
  name: 'post-audit-checkpoints',
  payload: Posting,
  retryLimit: 8,
  // A slow host takes 20 s of one of these, once a minute.
  concurrency: 8,
  atMost: { keyOf: ({ companyId }) => String(companyId), everyS: 60 },
  async run({ pool, config, clock }, { companyId }) {
    const keys = await signingKeys(config.dataDir)
    const waiting = await inTenant(pool, companyId, ({ tx }) => checkpointsToPost(tx, companyId))
    const last = waiting?.checkpoints.at(-1)
    if (!waiting || !last) return
    const { url, company, checkpoints } = waiting
    const body = JSON.stringify({ format: 'isotherm-audit-checkpoints-1', company, keys: keys.known, checkpoints })
    const key = `audit checkpoint ${companyId} ${last.seq}`
    const secret = await signingSecret(pool, companyId)
    const failed = (reason: string) =>
      inTenant(pool, companyId, ({ tx }) => noteFailure(tx, companyId, reason.slice(0, 300)))
    const posted = await postWebhook(url, body, { key, secret, allowPrivate: config.webhookAllowPrivate }).catch(
      async (error: Error) => {
        await failed(error.message)
        throw error
      },
    )
    if (posted.ok) await inTenant(pool, companyId, ({ tx }) => noteSent(tx, companyId, last.seq, clock.now()))
    else await failed(posted.reason)
  },
}
