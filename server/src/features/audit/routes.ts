import type { AuditQuery, audit } from '@isotherm/contract/audit.ts'
import { metaOf } from '@isotherm/contract/paging.ts'
import { zoneOf } from '../../platform/auth/users.ts'
import { signingKeys } from '../../platform/config/signing-keys.ts'
import { InvalidInput } from '../../platform/http/app-error.ts'
import type { Context } from '../../platform/http/context.ts'
import type { Handlers } from '../../platform/http/serve.ts'
import { addressFault } from '../../platform/messaging/webhook.ts'
import { findSettings, saveWebhook } from './checkpoint-queries.ts'
import { exportCsv } from './csv.ts'
import { exportCheckpoints, exportEvidence } from './evidence.ts'
import { postCheckpoints } from './jobs.ts'
import { presentEntry } from './present.ts'
import { listTrail } from './queries.ts'
import { redact, sightOf } from './redact.ts'
import { verifyTrail } from './verify.ts'

async function page(ctx: Context, query: AuditQuery) {
  const [{ rows, total }, zone, sight] = await Promise.all([listTrail(ctx, query), zoneOf(ctx), sightOf(ctx)])
  const reader = { locale: ctx.locale, zone }
  return { data: rows.map((row) => presentEntry(redact(row, sight), reader)), meta: metaOf(query, total) }
}

/** Throws the 422 that an alarm's webhook of this address would have. */
function checkAddress({ services }: Context, webhookUrl: string) {
  const fault = addressFault(webhookUrl, services.config.webhookAllowPrivate)
  if (fault) throw new InvalidInput([{ path: 'webhookUrl', message: { key: `fields.${fault}`, values: {} } }])
}

export const auditHandlers: Handlers<typeof audit> = {
  list: (ctx, { query }) => page(ctx, query),
  search: (ctx, { query }) => page(ctx, query),
  exportCsv: (ctx, { query }) => exportCsv(ctx, query),
  verify: (ctx) => verifyTrail(ctx),
  compare: (ctx, { body }) => verifyTrail(ctx, body),
  checkpoints: (ctx) => exportCheckpoints(ctx),
  evidence: (ctx) => exportEvidence(ctx),
  keys: async ({ services }) => (await signingKeys(services.config.dataDir)).known,
  settings: (ctx) => findSettings(ctx.tx, ctx.companyId),
  async changeSettings(ctx, { body: { webhookUrl } }) {
    if (webhookUrl) checkAddress(ctx, webhookUrl)
    const before = await findSettings(ctx.tx, ctx.companyId)
    await saveWebhook(ctx.tx, ctx.companyId, webhookUrl, ctx.clock.now())
    ctx.audit({ action: 'audit.webhookChanged', before: { webhookUrl: before.webhookUrl }, after: { webhookUrl } })
    // So that whoever set it soon sees whether it works.
    if (webhookUrl) await ctx.enqueue(postCheckpoints, { companyId: ctx.companyId })
    return findSettings(ctx.tx, ctx.companyId)
  },
}
