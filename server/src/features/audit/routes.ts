import type { AuditLine, AuditQuery, audit } from '@isotherm/contract/audit.ts'
import { metaOf } from '@isotherm/contract/paging.ts'
import { verifyChain } from '../../platform/audit/verify-chain.ts'
import type { Context } from '../../platform/http/context.ts'
import type { Handlers } from '../../platform/http/serve.ts'
import { translate } from '../../platform/i18n/i18n.ts'
import { type AuditRow, listTrail } from './queries.ts'

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
  async verify(ctx) {
    const state = await verifyChain(ctx.tx, ctx.companyId)
    return { whole: state.whole, entries: state.entries, brokenAt: state.whole ? null : String(state.brokenAt) }
  },
}
