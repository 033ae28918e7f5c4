import { paragraph } from '@isotherm/contract/common.ts'
import {
  type AskedRow,
  companyOfRequest,
  insertAnswer,
  requestById,
  requestsForDesk,
  setState,
} from '../../core/support/request-queries.ts'
import { writeAudit } from '../../platform/audit/audit.ts'
import type { TenantTx } from '../../platform/context.ts'
import { asPipeline, inTenant } from '../../platform/db/transaction.ts'
import type { ProviderTools } from './provider-tools.ts'
import { table } from './show.ts'
import { UsageError } from './usage-error.ts'

const maxShown = 200

/** Requests of all companies, open ones first: for more of a module where `isOfFeatures`, else the others. */
export async function showRequests(tools: ProviderTools, isOfFeatures: boolean): Promise<void> {
  const requests = await asPipeline(tools.pool, ({ tx }) => requestsForDesk(tx, isOfFeatures, maxShown))
  const rows = requests.map((row) => [
    row.id,
    row.state,
    row.kind,
    row.urgency ?? '',
    row.created_at.toISOString().slice(0, 16).replace('T', ' '),
    `${row.company} (${row.company_id})`,
    row.fullname,
    row.category ?? `${row.quantity} x ${row.item_code}`,
    [row.title, row.description].filter(Boolean).join(': ').replace(/\s+/g, ' '),
  ])
  const heads = ['NUMBER', 'STATE', 'KIND', 'URGENCY', 'ASKED (UTC)', 'COMPANY', 'PERSON', 'ABOUT', 'TEXT']
  table(tools, heads, rows)
}

/** Keeps an answer; the server tells the person within a minute, in the app and by mail. */
export function answerRequest(tools: ProviderTools, id: string | undefined, text: string | undefined): Promise<void> {
  const answer = paragraph(4_000)
    .min(1)
    .safeParse(text ?? '')
  if (!answer.success) throw new UsageError('--text is needed: an answer of at most 4000 signs')
  return change(tools, id, 'answered', (of, request, now) => insertAnswer(of, request.id, answer.data, now))
}

/** Closes a request, with or without an answer. */
export const closeRequest = (tools: ProviderTools, id: string | undefined): Promise<void> => change(tools, id, 'closed')

async function change(
  tools: ProviderTools,
  id: string | undefined,
  state: 'answered' | 'closed',
  work?: (of: TenantTx, request: AskedRow, now: Date) => Promise<unknown>,
): Promise<void> {
  const known = /^[1-9]\d{0,17}$/.test(id ?? '') ? id : undefined
  const found = known && (await asPipeline(tools.pool, ({ tx }) => companyOfRequest(tx, known)))
  if (!known || !found) throw new UsageError(`There is no request ${id ?? ''}: see support list and features list`)
  const companyId = found.company_id
  await inTenant(tools.pool, companyId, async ({ tx }) => {
    const of = { tx, companyId }
    const request = await requestById(of, known)
    if (!request) throw new UsageError(`There is no request ${known}`)
    const now = new Date()
    await work?.(of, request, now)
    await setState(of, known, state)
    const about = {
      actor: { kind: 'system' as const, name: 'provider' },
      origin: { address: '', agent: 'provider', requestId: '' },
      at: now,
    }
    const target = { kind: 'request', id: known, name: request.kind === 'purchase' ? request.title : `#${known}` }
    await writeAudit(tx, companyId, about, [{ action: `support.${state}`, target }])
  })
  tools.out(`Request ${known} of company ${companyId} is ${state}.`)
}
