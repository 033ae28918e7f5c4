import { type RawBuilder, sql } from 'kysely'
import type { SubscriptionRow } from '../../core/billing/subscription-queries.ts'
import { visibleSql } from '../../core/devices/visible-devices.ts'
import type { Context, TenantTx, ViewerTx } from '../../platform/context.ts'
import { allRows, firstRow, pageOfRows } from '../../platform/db/rows.ts'
import { containing } from '../../platform/db/search.ts'

type Pages = { page: number; perPage: number }

/** A subscription with its licence. */
export interface ShownSubscription extends SubscriptionRow {
  plan_name: string | null
  places: number
  used: number
}

const columns = sql`s.*, l.plan_name, l.devices as places,
  (select count(*) from licence_uses u where u.company_id = l.company_id and u.licence_id = l.id)::int as used`
const from = (companyId: number): RawBuilder<unknown> => sql`subscriptions s
  join licences l on l.company_id = s.company_id and l.id = s.licence_id where s.company_id = ${companyId}`

/** A page of the subscriptions, those that run first, the next one to end before others. */
export const pageOfSubscriptions = ({ tx, companyId }: TenantTx, paging: Pages) =>
  pageOfRows<ShownSubscription>(tx, paging, {
    columns,
    from: from(companyId),
    order: sql`array_position(array['past_due', 'active', 'expired', 'cancelled'], s.state), s.period_end, s.id`,
  })

export const shownSubscription = ({ tx, companyId }: TenantTx, id: string): Promise<ShownSubscription | undefined> =>
  firstRow<ShownSubscription>(tx)`select ${columns} from ${from(companyId)} and s.id = ${id}`

export interface SubscribedRow {
  id: number
  name: string
  tag: string | null
  imei: string | null
  source: string
  plan_name: string | null
  licence_until: Date
  is_cancelled: boolean
}

/** A page of the devices in use that the person may see, whose licence runs, by name. */
export function pageOfSubscribed(ctx: Context, { search, ...paging }: Pages & { search?: string | undefined }) {
  const pattern = containing(search ?? '')
  return pageOfRows<SubscribedRow>(ctx.tx, paging, {
    columns: sql`d.id, d.name, d.tag, i.imei, l.source, l.plan_name, d.licence_until,
      u.cancelled_at is not null as is_cancelled`,
    from: sql`devices d
      join licences l on l.company_id = d.company_id and l.id = d.licence_id
      left join licence_uses u on u.company_id = l.company_id and u.licence_id = l.id and u.device_id = d.id
      left join lateral (select a.imei from assignments a
        where a.company_id = d.company_id and a.device_id = d.id and a.valid_to is null limit 1) i on true
      where ${visibleSql(ctx)} and d.decommissioned_at is null and d.licence_until > ${ctx.clock.now()}
        and (${!search} or d.name ilike ${pattern} or d.tag ilike ${pattern} or i.imei like ${pattern})`,
    order: sql`lower(d.name), d.id`,
  })
}

export interface UnlicensedRow extends Pick<SubscribedRow, 'id' | 'name' | 'tag' | 'imei'> {
  licence_until: Date | null
  is_on_trial: boolean
}

/** A page of the devices in use that the person may see, and that no licence covers, or a trial only, by name. */
export const pageOfUnlicensed = (ctx: Context, paging: Pages) =>
  pageOfRows<UnlicensedRow>(ctx.tx, paging, {
    columns: sql`d.id, d.name, d.tag, i.imei, d.licence_until,
      coalesce(d.licence_until > ${ctx.clock.now()}, false) as is_on_trial`,
    from: sql`devices d
      left join licences l on l.company_id = d.company_id and l.id = d.licence_id
      left join lateral (select a.imei from assignments a
        where a.company_id = d.company_id and a.device_id = d.id and a.valid_to is null limit 1) i on true
      where ${visibleSql(ctx)} and d.decommissioned_at is null and d.sample_until is null
        and (d.licence_until is null or d.licence_until <= ${ctx.clock.now()} or l.source = 'trial')`,
    order: sql`lower(d.name), d.id`,
  })

/** The names of the devices that have places of a licence, of those that the person may see. */
export const devicesOfLicence = (ctx: ViewerTx, licenceId: number) =>
  allRows<{ id: number; name: string }>(ctx.tx)`
    select d.id, d.name from licence_uses u join devices d on d.company_id = u.company_id and d.id = u.device_id
    where u.licence_id = ${licenceId} and ${visibleSql(ctx)} order by lower(d.name), d.id`

export interface Place {
  subscription_id: string
  licence_id: number
  cancelled_at: Date | null
  licence_until: Date
  /** Whether any other device of the licence keeps its place. */
  others: boolean
}

/** The place that a device has in a subscription that runs. */
export const placeOf = ({ tx, companyId }: TenantTx, deviceId: number): Promise<Place | undefined> =>
  firstRow<Place>(tx)`
    select s.id as subscription_id, s.licence_id, u.cancelled_at, d.licence_until,
      exists (select from licence_uses o where o.company_id = u.company_id and o.licence_id = u.licence_id
        and o.device_id <> u.device_id and o.cancelled_at is null) as others
    from licence_uses u
    join devices d on d.company_id = u.company_id and d.id = u.device_id
    join subscriptions s on s.company_id = u.company_id and s.licence_id = u.licence_id
    where u.company_id = ${companyId} and u.device_id = ${deviceId} and s.state in ('active', 'past_due')
    order by s.period_end desc limit 1`
