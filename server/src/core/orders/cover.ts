import type { Context, TenantTx } from '../../platform/context.ts'
import { type InsuranceRow, worthOf } from './insurance-queries.ts'
import type { OrderRow } from './order-queries.ts'

/** Why a certificate does not cover an order. */
export type CoverFault = 'declined' | 'worth' | 'currency' | 'notYet' | 'tooShort'

interface Cover {
  certified_worth: string | null
  valid_from: Date | null
  valid_to: Date | null
}

// A day's last second, by which goods are to be there, is within the minute that the certificate names.
const minuteOf = (at: Date) => Math.floor(at.getTime() / 60_000)

/** Why a certificate does not cover goods of a worth from `from` until they are to be delivered; null where it does. Certificates name minutes. */
export function coverFault(
  { certified_worth, valid_from, valid_to }: Cover,
  { worth, from, until }: { worth: number; from: Date; until: Date },
): CoverFault | null {
  if (Number(certified_worth) < worth) return 'worth'
  if (!valid_from || valid_from > from) return 'notYet'
  if (!valid_to || minuteOf(valid_to) < minuteOf(until > from ? until : from)) return 'tooShort'
  return null
}

/** Why an insurance that is settled does not cover an order that starts at an instant. */
export async function standingFault(
  ctx: TenantTx,
  order: OrderRow,
  row: InsuranceRow,
  from: Date,
): Promise<CoverFault | null> {
  if (row.state === 'declined') return 'declined'
  return coverFault(row, { worth: await worthOf(ctx, order.id), from, until: order.deliver_by })
}

/** When the goods are to set out, or now, whichever is later. */
export function startOf({ clock }: Pick<Context, 'clock'>, { pickup_at }: Pick<OrderRow, 'pickup_at'>): Date {
  const now = clock.now()
  return pickup_at && pickup_at > now ? pickup_at : now
}
