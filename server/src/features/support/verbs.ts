import type { NewSupportRequest } from '@isotherm/contract/support.ts'
import { findItem } from '../../core/provider/store.ts'
import {
  insertFeatureRequest,
  insertRequest,
  type NewRequest,
  type RequestRow,
} from '../../core/support/request-queries.ts'
import type { Context } from '../../platform/context.ts'
import { withLogin } from '../../platform/db/transaction.ts'
import { AppError, orNotFound } from '../../platform/errors/app-error.ts'
import { requestForDesk } from './jobs.ts'
import { type ShownRow, shownRequest } from './queries.ts'

/** Keeps a request for help or a suggestion, and has it mailed to the provider's desk. */
export function ask(ctx: Context, kind: 'support' | 'suggestion', request: NewSupportRequest): Promise<ShownRow> {
  return keep(ctx, { ...of(ctx), kind, ...request })
}

/** The same for something of the store. Throws NOT_SOLD. */
export async function askToBuy(
  ctx: Context,
  { code, quantity, description }: { code: string; quantity: number; description: string },
): Promise<ShownRow> {
  const item = await withLogin(ctx.tx, () => findItem(ctx.tx, code))
  if (!item) throw new AppError('NOT_SOLD')
  return keep(ctx, { ...of(ctx), kind: 'purchase', title: item.name, description, item_code: code, quantity })
}

/** The same for more of a module; where somebody of the company waits for that already, nothing changes. */
export async function askFeature(ctx: Context, module: string, description: string): Promise<void> {
  const request = await insertFeatureRequest(ctx, {
    ...of(ctx),
    kind: 'feature',
    title: '',
    description,
    category: module,
  })
  if (request) await tell(ctx, request)
}

const of = (ctx: Context) => ({ asked_by: ctx.person.id, created_at: ctx.clock.now() })

async function keep(ctx: Context, request: NewRequest): Promise<ShownRow> {
  const { id } = await tell(ctx, await insertRequest(ctx, request))
  return orNotFound(await shownRequest(ctx, id))
}

/** Records and mails a request. Its words stay out of the trail, which others read. */
async function tell(ctx: Context, request: RequestRow): Promise<RequestRow> {
  const { id, kind, category, quantity } = request
  ctx.audit({
    action: `support.${kind}Asked`,
    target: { kind: 'request', id, name: kind === 'purchase' ? request.title : `#${id}` },
    after: kind === 'purchase' ? { quantity } : { category },
  })
  await ctx.enqueue(requestForDesk, { companyId: ctx.companyId, requestId: id })
  return request
}
