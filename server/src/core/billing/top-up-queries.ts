import type { TenantTx } from '../../platform/context.ts'
import { firstRow } from '../../platform/db/rows.ts'

export interface TopUpsSoFar {
  /** One is under way, or the payer's bank looks at the payment of one. */
  isLive: boolean
  /** The last time that money of one went back. */
  takenBackAt: Date | null
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
  const found = await firstRow<Omit<TopUpsSoFar, 'spent'> & { spent: string }>(tx)`
    with topups as (select * from purchases where company_id = ${companyId} and is_topup and unit_kind = ${kind}),
      paid_by as (select p.id, p.dispute from payments p join topups u on u.id = p.purchase_id where p.company_id = ${companyId}),
      failed as (select id, voided_at from topups where voided_at is not null order by voided_at desc limit 1)
    select exists (select from topups where paid_at is null and voided_at is null)
        or exists (select from paid_by where dispute = 'open') as "isLive",
      (select max(r.created_at) from refunds r join paid_by p on p.id = r.payment_id where r.company_id = ${companyId}) as "takenBackAt",
      (select voided_at from failed) as "failedAt",
      (select p.failure_text from payments p, failed f where p.company_id = ${companyId} and p.purchase_id = f.id
        order by p.id desc limit 1) as reason,
      (select coalesce(sum(total), 0) from topups
        where paid_at >= date_trunc('month', ${now}::timestamptz at time zone ${zone}) at time zone ${zone})::text as spent`
  return { isLive: false, takenBackAt: null, failedAt: null, reason: null, ...found, spent: Number(found?.spent ?? 0) }
}
