import type { HandOverFacts } from '@isotherm/contract/order-links.ts'
import type { ConditionSources } from '../../core/orders/conditions.ts'
import { handOver } from '../../core/orders/hand-over.ts'
import type { OrderRow, ReceiverRow } from '../../core/orders/order-queries.ts'
import type { Context } from '../../platform/context.ts'
import { target } from './link-verbs.ts'
import { leavePictures, type Pictures } from './pictures.ts'
import { makeReceipt } from './receipt-job.ts'

interface Giving {
  facts: HandOverFacts
  pictures: Pictures
  by: Parameters<typeof handOver>[4]['by']
}

/** Hands the goods of a receiver of a locked order over, with the pictures that were stored, and has the receipt made. */
export async function giveGoods(
  ctx: Context,
  sources: ConditionSources,
  order: OrderRow,
  receiver: ReceiverRow,
  { facts, pictures, by }: Giving,
): Promise<void> {
  const row = await handOver(ctx, sources, order, receiver, { facts, by, ...pictures })
  if (!row) return leavePictures(pictures)
  ctx.audit({
    action: 'orders.handedOver',
    target: target(order),
    after: {
      ...{ receiver: receiver.name, outcome: row.outcome, signedBy: row.signer_name, handOver: row.id },
      contentSha256: row.content_sha256.toString('hex'),
    },
  })
  await ctx.enqueue(makeReceipt, { companyId: ctx.companyId, handOverId: row.id })
}
