import type { VerifiedGap } from '@isotherm/contract/cold-treatments.ts'
import type { DevicePlace } from '@isotherm/contract/shipments.ts'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import { peopleSql } from '../../core/alarms/assignee-sql.ts'
import { visibleSql } from '../../core/devices/visible-devices.ts'
import { isShownSql } from '../../core/visibility/visibility.ts'
import type { Protocol } from '../../domain/cold-protocols.ts'
import type { TenantTx, ViewerTx } from '../../platform/context.ts'
import { allRows, firstRow } from '../../platform/db/rows.ts'
import type { ColdTreatments } from '../../platform/db/schema.ts'
import type { KeptClock } from './keep-clock.ts'

export interface TreatmentRow extends Omit<Selectable<ColdTreatments>, 'protocol' | 'clock' | 'verified_gaps'> {
  protocol: Protocol
  clock: KeptClock | null
  verified_gaps: VerifiedGap[]
}

const load = ({ tx, companyId }: TenantTx, shipmentId: string, lock: RawBuilder<unknown>) =>
  firstRow<TreatmentRow>(tx)`
    select * from cold_treatments where company_id = ${companyId} and shipment_id = ${shipmentId}::int8 ${lock}`

export const findTreatment = (ctx: TenantTx, shipmentId: string) => load(ctx, shipmentId, sql``)

/** The same, locked until the transaction ends: after its shipment and devices, before its record. */
export const lockTreatment = (ctx: TenantTx, shipmentId: string) => load(ctx, shipmentId, sql`for update`)

/** Undefined where somebody else works on it. */
export const lockFreeTreatment = (ctx: TenantTx, shipmentId: string) =>
  load(ctx, shipmentId, sql`for update skip locked`)

interface Choice {
  shipmentId: string
  protocol: Protocol
  by: string
  now: Date
}

/** Chooses a protocol; one that is there is taken the place of, with what was told of it. False where another version is there. */
export async function putTreatment(
  { tx, companyId }: TenantTx,
  { shipmentId, protocol, by, now }: Choice,
  version: number | undefined,
): Promise<boolean> {
  const row = await firstRow<{ version: number }>(tx)`
    insert into cold_treatments as t (company_id, shipment_id, protocol_id, protocol, chosen_at, chosen_by_name, updated_at)
    values (${companyId}, ${shipmentId}::int8, ${protocol.id}, ${JSON.stringify(protocol)}::jsonb, ${now}, ${by}, ${now})
    on conflict (company_id, shipment_id) do update set protocol_id = excluded.protocol_id, protocol = excluded.protocol,
      chosen_at = excluded.chosen_at, chosen_by_name = excluded.chosen_by_name, updated_at = excluded.updated_at,
      told_state = null, clock = null, version = t.version + 1
    where t.version = ${version ?? null}::int4 returning version`
  return row !== undefined
}

export const deleteTreatment = ({ tx, companyId }: TenantTx, shipmentId: string) =>
  tx
    .deleteFrom('cold_treatments')
    .where('company_id', '=', companyId)
    .where('shipment_id', '=', shipmentId)
    .executeTakeFirst()

/** Belongs to a locked treatment. */
export const setVerifiedGaps = (
  { tx, companyId }: TenantTx,
  shipmentId: string,
  gaps: readonly VerifiedGap[],
  now: Date,
) =>
  sql`
    update cold_treatments set verified_gaps = ${JSON.stringify(gaps)}::jsonb, updated_at = ${now}, version = version + 1
    where company_id = ${companyId} and shipment_id = ${shipmentId}::int8`.execute(tx)

/** Keeps the clock of a locked treatment, and what was told of it; nothing that people edit changes, and so no version does. */
export const keepClock = (
  { tx, companyId }: TenantTx,
  shipmentId: string,
  { clock, told, now }: { clock: KeptClock; told: string | null; now: Date },
) =>
  sql`
    update cold_treatments set clock = ${JSON.stringify(clock)}::jsonb, told_state = ${told}, seen_at = ${now}
    where company_id = ${companyId} and shipment_id = ${shipmentId}::int8`.execute(tx)

export interface ProbeRow {
  id: number
  name: string
  place: DevicePlace
  isPrivate: boolean
  /** When it joined the shipment under way; null: it was there from the start. */
  joinedAt: Date | null
}

/** All devices of a shipment that measure in fruit, by their places. */
export const probesOf = ({ tx, companyId }: TenantTx, shipmentId: string): Promise<ProbeRow[]> =>
  allRows<ProbeRow>(tx)`
    select d.id, d.name, x.place, d.visibility = 'private' as "isPrivate", x.joined_at as "joinedAt"
    from shipment_devices x join devices d on d.company_id = x.company_id and d.id = x.device_id
    where x.company_id = ${companyId} and x.shipment_id = ${shipmentId}::int8 and x.place like 'pulp%'
    order by length(x.place), x.place`

/** Those of the devices that the reader may see, with everything that they measured up to an instant. */
export const seenAmong = async (ctx: ViewerTx, ids: readonly number[], until: Date): Promise<Set<number>> =>
  new Set(
    (
      await allRows<{ id: number }>(ctx.tx)`
        select d.id from devices d where d.company_id = ${ctx.companyId} and d.id = any(${ids}::int4[])
          and ${visibleSql(ctx)} and ${isShownSql('d', `'${until.toISOString()}'::timestamptz`)}`
    ).map(({ id }) => id),
  )

/** How many devices on a shipment measure no fruit, of those that the reader may see. */
export async function countAir(ctx: ViewerTx, shipmentId: string): Promise<number> {
  const row = await firstRow<{ n: number }>(ctx.tx)`
    select count(*)::int as n from shipment_devices x join devices d on d.company_id = x.company_id and d.id = x.device_id
    where x.company_id = ${ctx.companyId} and x.shipment_id = ${shipmentId}::int8 and x.place not like 'pulp%'
      and x.left_at is null and ${visibleSql(ctx)}`
  return row?.n ?? 0
}

/** The milestone by which the goods are where they are treated: a treatment is completed in the container, or the hold, in which it began. */
const loadingOf = ({ isInHold }: { isInHold: boolean }) => (isInHold ? 'loaded' : 'stuffed')

/**
 * When the goods were in the container, or in the hold, at the earliest: the loading where it is noted, else the first event that tells of it, or the
 * start; null before any.
 */
export async function loadedAt(
  { tx, companyId }: TenantTx,
  shipmentId: string,
  carriage: { isInHold: boolean },
): Promise<Date | null> {
  const row = await firstRow<{ at: Date | null }>(tx)`
    with told as (select e.kind, e.occurred_at from shipment_events e
      where e.company_id = ${companyId} and e.shipment_id = ${shipmentId}::int8
        and e.kind in ('stuffed', 'loaded', 'gateIn', 'departed')
        and not exists (select from shipment_events c
          where c.company_id = e.company_id and c.shipment_id = e.shipment_id and c.corrects = e.id))
    select coalesce((select min(occurred_at) from told where kind = ${loadingOf(carriage)}),
      least(s.started_at, (select min(occurred_at) from told))) as at
    from shipments s where s.company_id = ${companyId} and s.id = ${shipmentId}::int8`
  return row?.at ?? null
}

/** Whether somebody noted when the goods were loaded to be treated. */
export async function isLoadingNoted(
  { tx, companyId }: TenantTx,
  shipmentId: string,
  carriage: { isInHold: boolean },
): Promise<boolean> {
  const row = await firstRow(tx)`
    select from shipment_events e
    where e.company_id = ${companyId} and e.shipment_id = ${shipmentId}::int8 and e.kind = ${loadingOf(carriage)}
      and not exists (select from shipment_events c
        where c.company_id = e.company_id and c.shipment_id = e.shipment_id and c.corrects = e.id) limit 1`
  return row !== undefined
}

/** Whether the company lets protocols be chosen that nobody has verified. */
export const allowsUnverified = async ({ tx, companyId }: TenantTx): Promise<boolean> =>
  (
    await firstRow<{ allows: boolean }>(tx)`
      select allows_unverified as allows from export_settings where company_id = ${companyId}`
  )?.allows ?? false

/** The people who may view dispatch; where `isPrivate`, Admins alone. */
export const readersOf = ({ tx, companyId }: TenantTx, isPrivate: boolean): Promise<{ id: string }[]> =>
  allRows<{ id: string }>(tx)`
    select u.id from ${peopleSql} where u.company_id = ${companyId} and u.archived_at is null and u.status = 'active'
      and (u.role = 'admin' or (not ${isPrivate}::bool and coalesce((p.matrix -> 'dispatch' ->> 'view')::bool, true)))
    order by u.id`

export interface DueRow {
  companyId: number
  shipmentId: string
}

/** So long after the end of a shipment late readings may still come. */
const lateDays = 30

/**
 * The treatments whose clocks are to be worked out: probes have told since, the shipment has changed, or an hour is over. Of every company one, then of every company
 * a second one. As pipeline.
 */
export const dueTreatments = ({ tx }: Pick<TenantTx, 'tx'>, now: Date, most: number): Promise<DueRow[]> =>
  allRows<DueRow>(tx)`
    select company_id as "companyId", shipment_id as "shipmentId" from (
      select t.company_id, t.shipment_id, t.seen_at,
        row_number() over (partition by t.company_id order by t.seen_at nulls first, t.shipment_id) as turn
      from cold_treatments t join shipments s on s.company_id = t.company_id and s.id = t.shipment_id
      where coalesce(s.ended_at, s.cancelled_at, ${now}::timestamptz) > ${now}::timestamptz - ${lateDays} * interval '24 hours'
        and (t.seen_at is null or t.seen_at < ${now}::timestamptz - interval '1 hour' or s.updated_at > t.seen_at or exists (
          select from shipment_devices x join device_latest l on l.company_id = x.company_id and l.device_id = x.device_id
          where x.company_id = t.company_id and x.shipment_id = t.shipment_id and x.place like 'pulp%'
            and l.received_at > t.seen_at - interval '2 minutes'))) as due
    order by turn, seen_at nulls first, company_id limit ${most}`
