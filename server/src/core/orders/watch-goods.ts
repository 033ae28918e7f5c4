import { asPipeline } from '../../platform/db/transaction.ts'
import type { Services } from '../../platform/services.ts'
import { noteGoodsBack, noteGoodsOut } from './goods-queries.ts'

/** Notes whose goods went out of range, or came back, since the last time; who hears of it is said where all messages are. */
export async function watchGoods({ pool, clock, bus }: Services): Promise<void> {
  const now = clock.now()
  const changed = await asPipeline(pool, async ({ tx }) => [
    ...(await noteGoodsBack(tx, now)),
    ...(await noteGoodsOut(tx, now)),
  ])
  for (const { company_id: companyId, order_id: id } of changed) bus.publish({ companyId, kind: 'order', data: { id } })
}
