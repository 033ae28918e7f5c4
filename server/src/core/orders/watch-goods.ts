import { showTrackingCode } from '../../domain/tracking-code.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { asPipeline } from '../../platform/db/transaction.ts'
import type { Services } from '../../platform/services.ts'
import { noteEvents } from '../events/note-events.ts'
import { type GoodsOutRow, noteGoodsBack, noteGoodsOut } from './goods-queries.ts'
import { endWarnings, escalateWarnings, insertWarnings, remindOfWarnings } from './warning-queries.ts'

/**
 * Notes whose goods went out of range, or came back, since the last time, which warnings are over, and reminds of those
 * that nobody acknowledged, or escalates them; who hears of it is said where all messages are.
 */
export async function watchGoods({ pool, clock, bus }: Services): Promise<void> {
  const now = clock.now()
  const changed = await asPipeline(pool, async ({ tx }) => {
    const back = await noteGoodsBack(tx, now)
    const out = await noteGoodsOut(tx, now)
    await warnOf(tx, out, now)
    await endWarnings(tx, now)
    await remindOfWarnings(tx, now)
    return [...back, ...out, ...(await escalateWarnings(tx, now))]
  })
  for (const { company_id: companyId, order_id: id } of changed) bus.publish({ companyId, kind: 'order', data: { id } })
}

async function warnOf(tx: Tx, out: readonly GoodsOutRow[], now: Date): Promise<void> {
  await insertWarnings(
    tx,
    out.map((row) => ({
      ...{ companyId: row.company_id, orderId: row.order_id, kind: 'outOfRange' },
      ...{ receiverId: row.receiver_id, deviceId: row.device_id, detail: row.detail },
    })),
    now,
  )
  await noteEvents(
    tx,
    out.map(({ company_id: companyId, order_id, device_id, tracking_code, detail }) => ({
      ...{ companyId, deviceId: device_id, type: 'order.out_of_range', at: now },
      key: `${order_id}:${device_id}:${now.getTime()}`,
      data: {
        ...{ orderId: order_id, code: showTrackingCode(tracking_code), measure: detail.measure, side: detail.side },
        since: new Date(detail.since).toISOString(),
      },
    })),
  )
}
