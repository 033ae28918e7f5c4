import type { EpcisPushQuery, PlaceByGln } from '@isotherm/contract/epcis.ts'
import { type Insertable, type Selectable, sql } from 'kysely'
import { peakWithinSql } from '../../core/devices/excursion-sql.ts'
import { visibleSql } from '../../core/devices/visible-devices.ts'
import { isShownSql } from '../../core/visibility/visibility.ts'
import type { Stretch } from '../../domain/epcis/shipped.ts'
import type { TenantTx, Viewer, ViewerTx } from '../../platform/context.ts'
import { allRows, firstRow } from '../../platform/db/rows.ts'
import type { EpcisPushes } from '../../platform/db/schema.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import type { PushPart } from './push-parts.ts'

/** A push, without the events that it told: there may be thousands. */
export type PushRow = Omit<Selectable<EpcisPushes>, 'told'>
const pushColumns = [
  ...([
    'company_id',
    'id',
    'shipment_id',
    'state',
    'events',
    'file_key',
    'sha256',
    'url',
    'location',
    'parts',
  ] as const),
  ...(['attempts', 'last_status', 'last_error', 'next_at', 'created_at', 'created_by_name', 'settled_at'] as const),
  'withdraws_all',
] as const satisfies (keyof PushRow)[]
const pushSql = sql.join(pushColumns.map((name) => sql.ref(name)))

/** Those devices of a shipment that the person may see now. */
export const seenDevices = async (ctx: ViewerTx, shipmentId: string): Promise<Set<number>> => {
  const rows = await allRows<{ id: number }>(ctx.tx)`
    select d.id from shipment_devices m join devices d on d.company_id = m.company_id and d.id = m.device_id
    where m.company_id = ${ctx.companyId} and m.shipment_id = ${shipmentId}::int8 and ${visibleSql(ctx)}`
  return new Set(rows.map(({ id }) => id))
}

export interface DayRow {
  deviceId: number
  /** The number of the stretch, from 1 on. */
  stretch: number
  from: Date
  to: Date
  heardAt: Date
  readings: number
  tMin: number | null
  tMax: number | null
  tMean: number | null
  /** How many readings have a temperature, and how many a humidity. */
  tN: number
  hMin: number | null
  hMax: number | null
  hMean: number | null
  hN: number
}

/** A device, and since when and until when it is with the goods; null: from the start, and until the end. */
export interface DeviceSpan {
  id: number
  joinedAt: Date | null
  leftAt: Date | null
}

/** The time that each device is with the goods, as a table m of id, joined_at and left_at. */
const spansSql = (devices: readonly DeviceSpan[]) => sql`
  unnest(${devices.map(({ id }) => id)}::int4[], ${devices.map(({ joinedAt }) => joinedAt ?? '-infinity')}::timestamptz[],
    ${devices.map(({ leftAt }) => leftAt ?? 'infinity')}::timestamptz[]) as m (id, joined_at, left_at)`

/** The readings of devices while they are with the goods, summed by stretch and by day of UTC; nothing of what a lapsed licence hides. Hundredths. */
export const sumsByDay = (ctx: Viewer, devices: readonly DeviceSpan[], stretches: readonly Stretch[]) =>
  allRows<DayRow>(ctx.tx)`
    select d.id as "deviceId", s.place::int as stretch, min(r.measured_at) as "from", max(r.measured_at) as "to",
      max(r.received_at) as "heardAt", count(*)::int as readings,
      min(r.temperature_centi) as "tMin", max(r.temperature_centi) as "tMax", round(avg(r.temperature_centi))::int as "tMean",
      count(r.temperature_centi)::int as "tN", count(r.humidity_centi)::int as "hN",
      min(r.humidity_centi) as "hMin", max(r.humidity_centi) as "hMax", round(avg(r.humidity_centi))::int as "hMean"
    from unnest(${stretches.map(({ from }) => from)}::timestamptz[], ${stretches.map(({ to }) => to)}::timestamptz[])
        with ordinality as s (from_at, to_at, place)
    cross join ${spansSql(devices)}
    join devices d on d.company_id = ${ctx.companyId} and d.id = m.id
    join readings r on r.company_id = d.company_id and r.device_id = d.id
      and r.measured_at >= greatest(s.from_at, m.joined_at) and r.measured_at < least(s.to_at, m.left_at)
      and ${isShownSql('d', 'r.measured_at')}
    group by s.place, (r.measured_at at time zone 'UTC')::date, d.id
    order by s.place, (r.measured_at at time zone 'UTC')::date, d.id`

/** More of them help no inspector. */
const maxBeyond = 1_000

export interface BeyondRow {
  deviceId: number
  at: Date
  value: number
  heardAt: Date
}

/** The times out of range of devices that began within a window, while they were with the goods, each with its farthest value of that time. */
export const excursionsBegun = (
  ctx: Viewer,
  devices: readonly DeviceSpan[],
  { from, to }: { from: Date; to: Date },
) => {
  const until = sql<Date>`least(${to}::timestamptz, m.left_at)`
  return allRows<BeyondRow>(ctx.tx)`
    select e.device_id as "deviceId", e.start_at as at, ${peakWithinSql(sql<Date>`e.start_at`, until)} as value, e.recorded_at as "heardAt"
    from ${spansSql(devices)} join devices d on d.company_id = ${ctx.companyId} and d.id = m.id
    join excursions e on e.company_id = d.company_id and e.device_id = d.id and e.measure = 'temperature'
      and e.start_at >= greatest(${from}::timestamptz, m.joined_at) and e.start_at < ${until}
      and ${isShownSql('d', 'e.start_at')}
    order by e.start_at, e.device_id limit ${maxBeyond}`
}

export const insertPush = (
  { tx, companyId }: TenantTx,
  push: Omit<Insertable<EpcisPushes>, 'company_id'>,
): Promise<PushRow> =>
  tx
    .insertInto('epcis_pushes')
    .values({ ...push, company_id: companyId })
    .returning(pushColumns)
    .executeTakeFirstOrThrow()

/** The pushes of a shipment from before one of them, newest first; of a `before` that is left out the newest. */
export const pushesOf = (
  { tx, companyId }: TenantTx,
  shipmentId: string,
  { before, limit }: EpcisPushQuery = { limit: 100 },
): Promise<PushRow[]> =>
  allRows<PushRow>(tx)`
    select ${pushSql} from epcis_pushes where company_id = ${companyId} and shipment_id = ${shipmentId}::int8
      and id < coalesce(${before ?? null}::int8, ${newestId}::int8)
    order by id desc limit ${limit}`
const newestId = '9223372036854775807'

export const pushById = ({ tx, companyId }: TenantTx, id: string): Promise<PushRow | undefined> =>
  firstRow<PushRow>(tx)`select ${pushSql} from epcis_pushes where company_id = ${companyId} and id = ${id}::int8`

/**
 * The pushes of a shipment whose events a receiver perhaps has, oldest first: from the last one on that withdrew what it had before, and was
 * accepted.
 */
export const heldPushes = ({ tx, companyId }: TenantTx, shipmentId: string, url: string): Promise<PushRow[]> =>
  allRows<PushRow>(tx)`
    select ${pushSql} from epcis_pushes where company_id = ${companyId} and shipment_id = ${shipmentId}::int8
      and parts @> ${JSON.stringify([{ url }])}::jsonb and id >= coalesce((select max(w.id) from epcis_pushes w
        where w.company_id = ${companyId} and w.shipment_id = ${shipmentId}::int8 and w.state = 'accepted' and w.url = ${url}
          and w.withdraws_all), 0)
    order by id`

/** The events that a push told, in brief; undefined where they were not kept. */
export async function toldBy({ tx, companyId }: TenantTx, id: string): Promise<unknown> {
  const row = await firstRow<{ told: unknown }>(tx)`
    select told from epcis_pushes where company_id = ${companyId} and id = ${id}::int8`
  return row?.told ?? undefined
}

/** Forgets the events of pushes before one that was accepted and withdrew what was no longer true of them; not where they went elsewhere too. */
export const forgetTold = ({ tx, companyId }: TenantTx, id: string) =>
  allRows(tx)`
    update epcis_pushes p set told = null from epcis_pushes w
    where w.company_id = ${companyId} and w.id = ${id}::int8 and w.state = 'accepted' and w.withdraws_all
      and p.company_id = w.company_id and p.shipment_id = w.shipment_id and p.id < w.id and p.told is not null
      and not jsonb_path_exists(p.parts, '$[*] ? (@.url != $url)', jsonb_build_object('url', w.url))
    returning p.id`

/** Makes a failed push wait again; undefined where it is not failed. One that goes elsewhere now does not know what is there. */
export const renewPush = (
  { tx, companyId }: TenantTx,
  id: string,
  { url, now }: { url: string; now: Date },
): Promise<PushRow | undefined> =>
  firstRow<PushRow>(tx)`
    update epcis_pushes set state = 'waiting', withdraws_all = withdraws_all and url = ${url}, url = ${url}, attempts = 0, location = null, last_error = null,
      next_at = ${now}, settled_at = null
    where company_id = ${companyId} and id = ${id}::int8 and state = 'failed' returning ${pushSql}`

/** Takes a push that is due for an attempt: nobody else does, until `until`. */
export const claimPush = ({ tx, companyId }: TenantTx, id: string, now: Date, until: Date) =>
  firstRow<PushRow>(tx)`
    update epcis_pushes set attempts = attempts + 1, next_at = ${until}
    where company_id = ${companyId} and id = ${id}::int8 and state in ('waiting', 'sent') and next_at <= ${now}
    returning ${pushSql}`

/** Writes down what an attempt may send: before it does. */
export const noteParts = ({ tx, companyId }: TenantTx, id: string, parts: readonly PushPart[]) =>
  firstRow(tx)`
    update epcis_pushes set parts = ${JSON.stringify(parts)}::jsonb
    where company_id = ${companyId} and id = ${id}::int8 returning id`

/** Writes down how an attempt went: only that attempt may. */
export const settlePush = (
  { tx, companyId }: TenantTx,
  { id, attempts, next_at }: Pick<PushRow, 'id' | 'attempts' | 'next_at'>,
  { state, location, status, error, attempts: counted, parts, nextAt, settledAt }: PushOutcome,
) =>
  firstRow(tx)`
    update epcis_pushes set state = ${state}, attempts = ${counted}, location = ${location}, last_status = ${status}, last_error = ${error},
      parts = ${JSON.stringify(parts)}::jsonb, next_at = ${nextAt}, settled_at = ${settledAt}
    where company_id = ${companyId} and id = ${id}::int8 and attempts = ${attempts} and next_at = ${next_at} returning id`

export interface PushOutcome {
  state: 'waiting' | 'sent' | 'accepted' | 'failed'
  location: string | null
  status: number | null
  error: string | null
  /** Attempts that count from now on. */
  attempts: number
  parts: PushPart[]
  nextAt: Date | null
  settledAt: Date | null
}

export interface DuePush {
  company_id: number
  id: string
}

/** Pushes that are due, of each company some, first the one of each that has waited longest. As pipeline. */
export const duePushes = (tx: Tx, now: Date, { ofCompany, inAll }: { ofCompany: number; inAll: number }) =>
  allRows<DuePush>(tx)`
    select company_id, id from (
      select company_id, id, next_at, row_number() over (partition by company_id order by next_at, id) as place
      from epcis_pushes where next_at <= ${now}) due
    where place <= ${ofCompany} order by place, next_at limit ${inAll}`

/** Origins and destinations of the company that have one of these numbers, the newest last. */
export const placesByGln = ({ tx, companyId }: TenantTx, glns: readonly string[]) =>
  allRows<PlaceByGln & { kind: string; gln: string }>(tx)`
    select id, kind, name, country, gln from shipment_places
    where company_id = ${companyId} and gln = any(${glns}::text[]) and archived_at is null order by id`

/** The first report of a record that was made after an instant: later ones tell the same, or more. */
export const firstReport = ({ tx, companyId }: TenantTx, recordId: string, after: Date) =>
  firstRow<{ key: string; at: Date }>(tx)`
    select report_key as key, finished_at as at from device_reports
    where company_id = ${companyId} and record_id = ${recordId}::int8 and state = 'ready' and data_as_of >= ${after}
    order by id limit 1`

/** The protocol of a cold treatment that is proven; undefined of any other. */
export async function provenProtocol({ tx, companyId }: TenantTx, shipmentId: string): Promise<string | undefined> {
  const row = await firstRow<{ protocol: string }>(tx)`
    select protocol_id as protocol from cold_treatments
    where company_id = ${companyId} and shipment_id = ${shipmentId}::int8 and clock ->> 'state' = 'proven'`
  return row?.protocol
}
