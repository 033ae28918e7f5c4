import type { AuditQuery, audit } from '@isotherm/contract/audit.ts'
import { metaOf } from '@isotherm/contract/paging.ts'
import { zoneOf } from '../../core/people/users.ts'
import { signingKeys } from '../../platform/config/signing-keys.ts'
import type { Context } from '../../platform/context.ts'
import type { Handlers } from '../../platform/http/serve.ts'
import { changeWebhook } from './change-webhook.ts'
import { findSettings } from './checkpoint-queries.ts'
import { exportCsv } from './csv.ts'
import { exportCheckpoints, exportEvidence } from './evidence.ts'
import { presentEntry, presentSettings } from './present.ts'
import { countFeatures, listTrail } from './queries.ts'
import { redact, sightOf } from './redact.ts'
import { verifyTrail } from './verify.ts'

async function page(ctx: Context, query: AuditQuery) {
  const [rows, feature, zone, sight] = await Promise.all([
    listTrail(ctx, query),
    countFeatures(ctx, query),
    zoneOf(ctx),
    sightOf(ctx),
  ])
  const reader = { locale: ctx.locale, zone }
  return {
    data: rows.map((row) => presentEntry(redact(row, sight), reader)),
    meta: metaOf(query, feature[query.feature ?? 'all'] ?? 0),
    filterCounts: { feature },
  }
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
  settings: async (ctx) => presentSettings(await findSettings(ctx.tx, ctx.companyId)),
  changeSettings: async (ctx, { body }) => presentSettings(await changeWebhook(ctx, body.webhookUrl)),
}
