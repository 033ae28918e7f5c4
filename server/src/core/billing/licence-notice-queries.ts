import type { TenantTx } from '../../platform/context.ts'
import { allRows } from '../../platform/db/rows.ts'
import type { Tx } from '../../platform/db/transaction.ts'

export interface EndingLicence {
  company_id: number
  id: number
  source: 'trial' | 'key'
  hint: string
  expires_at: Date
  /** Devices that have a place of it. */
  devices: number
}

/**
 * Trials and licences of keys that end within so many days, and of which that was not said: not of a trial after which something else goes on,
 * nor of a key without a device. A licence that lasts no longer than these days has just begun. As pipeline.
 */
export const licencesEnding = (tx: Tx, days: number, now: Date, max: number): Promise<EndingLicence[]> =>
  allRows<EndingLicence>(tx)`
    select l.company_id, l.id, l.source, l.hint, l.expires_at, coalesce(u.n, 0)::int as devices
    from licences l
    join companies c on c.company_id = l.company_id
    left join lateral (select count(*) as n from devices d
      where d.company_id = l.company_id and d.licence_id = l.id and d.decommissioned_at is null) u on true
    where l.source in ('trial', 'key') and l.starts_at <= ${now}
      and l.expires_at > ${now} and l.expires_at <= ${now}::timestamptz + ${days} * interval '24 hours'
      and l.expires_at > l.starts_at + ${days} * interval '24 hours'
      and case when l.source = 'trial' then c.subscription_until = l.expires_at else u.n > 0 end
      and not exists (select from licence_notices n
        where n.company_id = l.company_id and n.licence_id = l.id and n.days <= ${days})
    order by l.company_id, l.id limit ${max}`

/** Keeps that it was said, and what need not be said any more; false where it was said before. */
export async function noteLicenceNotice(
  { tx, companyId }: TenantTx,
  licenceId: number,
  all: readonly number[],
  days: number,
  now: Date,
): Promise<boolean> {
  const kept = await tx
    .insertInto('licence_notices')
    .values(all.map((each) => ({ company_id: companyId, licence_id: licenceId, days: each, at: now })))
    .onConflict((conflict) => conflict.doNothing())
    .returning('days')
    .execute()
  return kept.some((each) => each.days === days)
}
