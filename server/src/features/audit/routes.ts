import type { AuditLine, AuditQuery, audit } from '@isotherm/contract/audit.ts'
import { metaOf } from '@isotherm/contract/paging.ts'
import { signingKeys } from '../../platform/config/signing-keys.ts'
import type { Context } from '../../platform/http/context.ts'
import type { Handlers } from '../../platform/http/serve.ts'
import { translate } from '../../platform/i18n/i18n.ts'
import { findSettings, saveWebhook } from './checkpoint-queries.ts'
import { exportCheckpoints, exportEvidence } from './evidence.ts'
import { postCheckpoints } from './jobs.ts'
import { type AuditRow, listTrail } from './queries.ts'
import { verifyTrail } from './verify.ts'

const present = (ctx: Context, row: AuditRow): AuditLine => ({
  id: row.seq,
  at: row.at.toISOString(),
  who: row.actor.name ?? null,
  action: row.action,
  title: translate(ctx.locale, `audit:${row.action}`),
  target: row.target,
  before: row.before,
  after: row.after,
  reason: row.reason && reasonText(ctx, row.reason),
  address: row.origin.address ?? '',
  agent: row.origin.agent ?? '',
})

/** Of our own reasons the words; what a person wrote, as they wrote it. */
const reasonText = ({ locale }: Context, reason: string) =>
  reason === 'wrongPassword' || reason === 'unverified' ? translate(locale, `audit:reasons.${reason}`) : reason

async function page(ctx: Context, query: AuditQuery) {
  const { rows, total } = await listTrail(ctx, query)
  return { data: rows.map((row) => present(ctx, row)), meta: metaOf(query, total) }
}

export const auditHandlers: Handlers<typeof audit> = {
  list: (ctx, { query }) => page(ctx, query),
  search: (ctx, { query }) => page(ctx, query),
  verify: (ctx) => verifyTrail(ctx),
  compare: (ctx, { body }) => verifyTrail(ctx, body),
  checkpoints: (ctx) => exportCheckpoints(ctx),
  evidence: (ctx) => exportEvidence(ctx),
  keys: async ({ services }) => (await signingKeys(services.config.dataDir)).known,
  settings: (ctx) => findSettings(ctx.tx, ctx.companyId),
  async changeSettings(ctx, { body: { webhookUrl } }) {
    const before = await findSettings(ctx.tx, ctx.companyId)
    await saveWebhook(ctx.tx, ctx.companyId, webhookUrl, ctx.clock.now())
    ctx.audit({ action: 'audit.webhookChanged', before: { webhookUrl: before.webhookUrl }, after: { webhookUrl } })
    // So that whoever set it soon sees whether it works.
    if (webhookUrl) await ctx.enqueue(postCheckpoints, { companyId: ctx.companyId })
    return findSettings(ctx.tx, ctx.companyId)
  },
}
