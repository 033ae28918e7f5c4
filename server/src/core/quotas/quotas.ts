import { type RawBuilder, sql } from 'kysely'
import type { Quota, QuotaName } from '../../platform/config/quotas.ts'
import type { Context } from '../../platform/context.ts'
import { locksOfCompany } from '../../platform/db/advisory-locks.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { QuotaExceeded } from '../../platform/errors/app-error.ts'
import { shownIfEndedAfter } from '../visibility/visibility.ts'

const counts: Record<QuotaName, (companyId: number, now: Date) => RawBuilder<unknown>> = {
  places: (id) => sql`(select count(*) from geofences where company_id = ${id})
    + (select count(*) from points_of_interest where company_id = ${id})`,
  corners: (id) => sql`(select coalesce(sum(jsonb_array_length(area -> 'points')), 0) from geofences
    where company_id = ${id} and area ->> 'kind' = 'polygon')`,
  alarms: (id) => sql`(select count(*) from alarms where company_id = ${id} and archived_at is null)`,
  groups: (id) => sql`(select count(*) from groups where company_id = ${id} and archived_at is null)`,
  records: (id) => sql`(select count(*) from records where company_id = ${id})`,
  reports: (id) => sql`(select count(*) from reports where company_id = ${id} and archived_at is null)`,
  users: (id) => sql`(select count(*) from users where company_id = ${id} and archived_at is null)`,
  // An attachment that was taken away stays on the disk.
  fileMb: (id) => sql`((select coalesce(sum(size_bytes), 0) from record_attachments where company_id = ${id})
    + (select coalesce(sum(size_bytes), 0) from handover_photos where company_id = ${id})
    + (select coalesce(sum(file_size), 0) from calibrations where company_id = ${id})
    + (select coalesce(sum(logo_bytes), 0) from companies where company_id = ${id})
    + (select coalesce(sum(size_bytes), 0) from device_reports where company_id = ${id} and file_key is not null)
    + (select coalesce(sum(size_bytes), 0) from group_reports where company_id = ${id} and file_key is not null)
    + (select coalesce(sum(size_bytes), 0) from order_claims where company_id = ${id} and file_key is not null)
    + (select coalesce(sum(size_bytes), 0) from cold_treatment_records where company_id = ${id} and file_key is not null)
    + (select coalesce(sum(size_bytes), 0) from shipment_reports where company_id = ${id} and file_key is not null)
    + (select coalesce(sum(size_bytes), 0) from shipment_documents where company_id = ${id})
    + (select coalesce(sum(size_bytes), 0) from report_files where company_id = ${id} and file_key is not null)) / 1e6`,
  shareLinks: (id, now) => sql`(select count(*) from share_links where company_id = ${id} and revoked_at is null
    and (expires_at is null or expires_at > ${now}))`,
  contacts: (id) => sql`(select count(*) from contacts where company_id = ${id} and archived_at is null)`,
  drivers: (id) => sql`(select count(*) from drivers where company_id = ${id} and archived_at is null)`,
  vehicles: (id) => sql`(select count(*) from vehicles where company_id = ${id} and archived_at is null)`,
  partners: (id) => sql`(select count(*) from partners where company_id = ${id} and archived_at is null)`,
  openOrders: (id) => sql`(select count(*) from orders where company_id = ${id} and state in ('new', 'inProgress'))`,
  ordersPerDay: (id, now) => sql`(select count(*) from orders where company_id = ${id}
    and created_at > ${now}::timestamptz - interval '24 hours')`,
  orderTemplates: (id) => sql`(select count(*) from order_templates where company_id = ${id})`,
  openShipments: (id) =>
    sql`(select count(*) from shipments where company_id = ${id} and state in ('pending', 'ongoing'))`,
  shipmentPlaces: (id) => sql`(select count(*) from shipment_places where company_id = ${id} and archived_at is null)`,
  shipmentsPerDay: (id, now) => sql`(select count(*) from shipments where company_id = ${id}
    and created_at > ${now}::timestamptz - interval '24 hours')`,
}

type Adding = Pick<Context, 'tx' | 'companyId' | 'services' | 'clock'>

/**
 * Throws QUOTA_EXCEEDED where the company would have more of something than it may. Call it in the transaction that adds
 * the rows, before they are inserted: until that transaction ends, others of the company that add the same wait here.
 * `adding` is in the quota's unit; 0 asks whether it is full already.
 */
export async function refuseOverQuota(ctx: Adding, name: QuotaName, adding = 1): Promise<void> {
  await sql`select pg_advisory_xact_lock(${locksOfCompany.quotas + orderOf(name)}::int4, ${ctx.companyId}::int4)`.execute(
    ctx.tx,
  )
  await refuseWithoutRoom(ctx, name, adding)
}

/** The same without making others wait, for what only looks whether it would be refused. Throws QUOTA_EXCEEDED. */
export async function refuseWithoutRoom(ctx: Adding, name: QuotaName, adding: number): Promise<void> {
  const most = await quotaOf(ctx, ctx.services.config.quotas[name], ctx.clock.now())
  const used = await usedOf(ctx, name, ctx.clock.now())
  if (adding > 0 ? used + adding > most : used >= most) throw new QuotaExceeded(name, most)
}

/** Whether a company has as much of something as it may; takes no lock. */
export async function isQuotaFull(of: Of, quotas: Record<QuotaName, Quota>, name: QuotaName, now: Date) {
  return (await usedOf(of, name, now)) >= (await quotaOf(of, quotas[name], now))
}

const lockOrder = Object.keys(counts) as QuotaName[]
const orderOf = (name: QuotaName) => lockOrder.indexOf(name)

interface Of {
  tx: Tx
  companyId: number
}

/** How much of something a company has, in the quota's unit. */
async function usedOf({ tx, companyId }: Of, name: QuotaName, now: Date): Promise<number> {
  const { rows } = await sql<{ used: number }>`select (${counts[name](companyId, now)})::float8 as used`.execute(tx)
  return rows[0]?.used ?? 0
}

/** Which of two figures holds. A licence counts as long as its devices are shown after its end; a trial, which anybody gets, does not. */
async function quotaOf({ tx, companyId }: Of, { licensed, unlicensed }: Quota, now: Date): Promise<number> {
  const licence = await tx
    .selectFrom('licences')
    .select('id')
    .where('company_id', '=', companyId)
    .where('source', '<>', 'trial')
    .where('expires_at', '>', shownIfEndedAfter(now))
    .limit(1)
    .executeTakeFirst()
  return licence ? licensed : unlicensed
}
