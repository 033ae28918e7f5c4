import { type RawBuilder, sql } from 'kysely'
import type { TenantTx } from '../../platform/context.ts'
import { allRows } from '../../platform/db/rows.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { noteDevices, noteTrackers } from './settings-changes.ts'

/** The sample devices of a company, locked, be they in use or on their way out: one, but in a sandbox. */
export const lockSamples = ({ tx, companyId }: TenantTx) =>
  tx
    .selectFrom('devices')
    .select(['id', 'name', 'visibility', 'decommissioned_at'])
    .where('company_id', '=', companyId)
    .where('sample_until', 'is not', null)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()

/** The sample device of a company, as who makes up its readings must know it. */
export interface Sample {
  companyId: number
  id: number
  visibility: string
  imei: string
  intervalS: number
  country: string | null
  /** Neither paused nor off. */
  isSending: boolean
  /** Its time is over, or somebody removed it. */
  isOver: boolean
  isInUse: boolean
  /** Its readings go on after this instant: of its last one, or since when it sends again. */
  since: Date
  /** The clock of its company, which is a sandbox; null: it sends as time passes. */
  clockAt: Date | null
  /** The commands that it has not answered. */
  commandIds: string[]
}

/** Every sample device there is. As pipeline. */
export const readSamples = (tx: Tx, now: Date): Promise<Sample[]> => readSome(tx, now, sql`true`)

/** Those of one company. As pipeline. */
export const readSamplesOf = (tx: Tx, companyId: number, now: Date): Promise<Sample[]> =>
  readSome(tx, now, sql`d.company_id = ${companyId}`)

const readSome = (tx: Tx, now: Date, where: RawBuilder<unknown>) => allRows<Sample>(tx)`
  select d.company_id as "companyId", d.id, d.visibility, a.imei, d.interval_s as "intervalS", c.country,
    d.transmission = 'started' and d.power = 'on' and d.flight_mode = 'off' as "isSending",
    d.sample_until <= ${now} or d.decommissioned_at is not null as "isOver", d.decommissioned_at is null as "isInUse",
    k.at as "clockAt", greatest(d.created_at, l.temperature_tail_at, (select max(acked_at) from device_commands w where w.company_id = d.company_id
      and w.device_id = d.id and w.ok and w.kind <> 'interval')) as since,
    array(select id::text from device_commands w where w.company_id = d.company_id and w.device_id = d.id
      and w.acked_at is null and w.superseded_at is null order by id) as "commandIds"
  from devices d
  join companies c on c.company_id = d.company_id
  left join sandbox_clocks k on k.company_id = d.company_id
  join lateral (select imei from assignments a where a.company_id = d.company_id and a.device_id = d.id
    order by a.valid_from desc limit 1) a on true
  left join device_latest l on l.company_id = d.company_id and l.device_id = d.id
  where d.sample_until is not null and ${where} order by d.company_id, d.id`

/** Deletes a sample device with the rows that are of it alone. As pipeline. */
export async function deleteSample(tx: Tx, { companyId, id, imei }: Sample): Promise<void> {
  await tx.deleteFrom('late_readings').where('company_id', '=', companyId).where('device_id', '=', id).execute()
  await tx.deleteFrom('devices').where('company_id', '=', companyId).where('id', '=', id).execute()
  await noteTrackers(tx, [imei])
  await noteDevices(tx, [{ companyId, deviceId: id }])
}
