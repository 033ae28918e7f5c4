import type { Carriage, NoticePeriods } from '@isotherm/contract/order-evidence.ts'
import { dispatchSettingsOf } from '../../core/orders/dispatch-settings.ts'
import { findOrder, receiversOf } from '../../core/orders/order-queries.ts'
import { noticeRuleOf, noticeUntil } from '../../domain/notice-periods.ts'
import type { Context } from '../../platform/context.ts'

/** Until when a damage is to be told, for each stop that is settled, by a carriage or by that of the company. Throws NOT_FOUND. */
export async function noticePeriods(
  ctx: Context,
  orderId: string,
  asked: Carriage | undefined,
): Promise<NoticePeriods> {
  await findOrder(ctx, orderId)
  const settings = await dispatchSettingsOf(ctx)
  const carriage = asked ?? settings.carriage
  const { noticeDays, skipsSundays, source } = noticeRuleOf(carriage, settings.noticeDays)
  const stops = (await receiversOf(ctx, [orderId])).flatMap(({ id, name, zone, settled_at, state }) =>
    settled_at && state !== 'cancelled'
      ? [
          {
            ...{ receiverId: id, name, timezone: zone, handedOverAt: settled_at.toISOString() },
            until: new Date(noticeUntil(settled_at.getTime(), zone, { noticeDays, skipsSundays })).toISOString(),
          },
        ]
      : [],
  )
  return { carriage, source, noticeDays, skipsSundays, stops }
}
