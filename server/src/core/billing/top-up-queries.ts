import type { TenantTx } from '../../platform/context.ts'
import { firstRow } from '../../platform/db/rows.ts'

export interface TopUpsSoFar {
  /** One is under way. */
  isLive: boolean
  /** The last one that was not paid, and why. */
  failedAt: Date | null
  reason: string | null
  /** Paid this month, by the calendar of the zone, in minor units. */
  spent: number
}

/** The units of a kind that were bought by themselves. */
export async function topUpsOf(
  { tx, companyId }: TenantTx,
  kind: string,
  zone: string,
  now: Date,
): Promise<TopUpsSoFar> {
  const found = await firstRow<{ isLive: boolean; failedAt: Date | null; reason: string | null; spent: string }>(tx)`
    with topups as (select * from purchases where company_id = ${companyId} and is_topup and unit_kind = ${kind}),
      failed as (select id, voided_at from topups where voided_at is not null order by voided_at desc limit 1)
    select exists (select from topups where paid_at is null and voided_at is null) as "isLive",
      (select voided_at from failed) as "failedAt",
      (select p.failure_text from payments p, failed f where p.company_id = ${companyId} and p.purchase_id = f.id
        order by p.id desc limit 1) as reason,
      (select coalesce(sum(total), 0) from topups
        where paid_at >= date_trunc('month', ${now}::timestamptz at time zone ${zone}) at time zone ${zone})::text as spent`
  return { isLive: false, failedAt: null, reason: null, ...found, spent: Number(found?.spent ?? 0) }
}
