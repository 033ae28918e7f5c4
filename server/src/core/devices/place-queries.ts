import { sql, type Updateable } from 'kysely'
import type { Context, TenantTx } from '../../platform/context.ts'
import { allRows } from '../../platform/db/rows.ts'
import type { Licences } from '../../platform/db/schema.ts'

// Places of a licence that a subscription pays for: it is changed in place, and its devices follow. Who calls these has locked the licence
// before any device, and settles the company's subscription afterwards.

export interface ChangedDevice {
  id: number
  visibility: string
}

export const lockLicence = ({ tx, companyId }: TenantTx, id: number) =>
  tx
    .selectFrom('licences')
    .select(['id', 'devices', 'expires_at', 'plan_id', 'plan_name'])
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()

/**
 * Changes a licence, and gives its devices the new end: with the time that they brought along from another licence and have not used. Devices
 * that are out of use, and those whose place was cancelled, keep theirs.
 */
export async function changeLicence(
  { tx, companyId }: TenantTx,
  id: number,
  change: Updateable<Licences> & { expires_at: Date },
  now: Date,
): Promise<ChangedDevice[]> {
  const devices = await allRows<ChangedDevice>(tx)`
    update devices d set updated_at = ${now}, licence_until = ${change.expires_at}::timestamptz
      + greatest(interval '0', d.licence_until - greatest(l.expires_at, ${now}::timestamptz))
    from licence_uses u join licences l on l.company_id = u.company_id and l.id = u.licence_id
    where u.company_id = ${companyId} and u.licence_id = ${id} and u.cancelled_at is null
      and d.company_id = u.company_id and d.id = u.device_id and d.decommissioned_at is null
    returning d.id, d.visibility`
  await tx.updateTable('licences').set(change).where('company_id', '=', companyId).where('id', '=', id).execute()
  return devices
}

// Those that nobody cancelled come first, then who was there first.
const inOrder = sql`row_number() over (order by u.cancelled_at is not null, u.added_at, u.device_id)`

/** The devices that lose their place where a licence goes on with so many: those that were cancelled, then those that were added last. */
export const lapsing = ({ tx, companyId }: TenantTx, licenceId: number, places: number) =>
  allRows<ChangedDevice & { name: string }>(tx)`
    select d.id, d.name, d.visibility from (
      select u.device_id, u.cancelled_at, ${inOrder} as place from licence_uses u
      where u.company_id = ${companyId} and u.licence_id = ${licenceId}) p
    join devices d on d.company_id = ${companyId} and d.id = p.device_id
    where p.cancelled_at is not null or p.place > ${places}
    order by p.place`

/** Takes the places of these devices; they keep the time that they have. */
export const freePlaces = ({ tx, companyId }: TenantTx, licenceId: number, deviceIds: readonly number[]) =>
  tx
    .deleteFrom('licence_uses')
    .where('company_id', '=', companyId)
    .where('licence_id', '=', licenceId)
    .where('device_id', 'in', deviceIds)
    .execute()

/**
 * Gives the free places of a licence to devices in use that are on trial, or whose time is over, but not to those that had a place of it
 * before: first those on trial, then those whose time ended last.
 */
export const fillPlaces = (
  { tx, companyId }: TenantTx,
  licenceId: number,
  { places, until }: { places: number; until: Date },
  now: Date,
): Promise<ChangedDevice[]> =>
  allRows<ChangedDevice>(tx)`
    update devices d set licence_id = ${licenceId}, updated_at = ${now},
      licence_until = greatest(${until}::timestamptz, d.licence_until)
    from (
      select w.id from devices w
      left join licences l on l.company_id = w.company_id and l.id = w.licence_id
      where w.company_id = ${companyId} and w.decommissioned_at is null and w.sample_until is null
        and w.licence_id is distinct from ${licenceId}
        and (l.source = 'trial' or w.licence_until <= ${now})
      order by coalesce(l.source = 'trial' and l.expires_at > ${now}, false) desc, w.licence_until desc, w.id
      limit greatest(0, ${places}::int - (select count(*) from licence_uses u
        where u.company_id = ${companyId} and u.licence_id = ${licenceId}))
      for no key update of w) f
    where d.company_id = ${companyId} and d.id = f.id
    returning d.id, d.visibility`

export const insertLicenceUse = (ctx: TenantTx & Pick<Context, 'clock'>, licenceId: number, deviceId: number) =>
  ctx.tx
    .insertInto('licence_uses')
    .values({
      company_id: ctx.companyId,
      licence_id: licenceId,
      device_id: deviceId,
      added_at: ctx.clock.now(),
    })
    .execute()

export const deleteLicenceUses = (ctx: TenantTx, deviceId: number) =>
  ctx.tx.deleteFrom('licence_uses').where('company_id', '=', ctx.companyId).where('device_id', '=', deviceId).execute()

/** Says that a device gives its place up with the period, or, with null, that it keeps it. */
export const markPlace = (
  { tx, companyId }: TenantTx,
  { licenceId, deviceId }: { licenceId: number; deviceId: number },
  cancelledAt: Date | null,
) =>
  tx
    .updateTable('licence_uses')
    .set({ cancelled_at: cancelledAt })
    .where('company_id', '=', companyId)
    .where('licence_id', '=', licenceId)
    .where('device_id', '=', deviceId)
    .execute()

/**
 * Takes the days of grace, which a licence runs beyond the period of its subscription, off the time of a device, or gives them to it.
 */
export async function changeGrace(
  { tx, companyId }: TenantTx,
  { subscriptionId, deviceId }: { subscriptionId: string; deviceId: number },
  { has, now }: { has: boolean; now: Date },
): Promise<{ licence_until: Date; visibility: string } | undefined> {
  const [changed] = await allRows<{ licence_until: Date; visibility: string }>(tx)`
    update devices d set updated_at = ${now},
      licence_until = d.licence_until + ${has ? 1 : -1} * greatest(interval '0', l.expires_at - s.period_end)
    from subscriptions s join licences l on l.company_id = s.company_id and l.id = s.licence_id
    where s.company_id = ${companyId} and s.id = ${subscriptionId} and d.company_id = s.company_id and d.id = ${deviceId}
    returning d.licence_until, d.visibility`
  return changed
}
