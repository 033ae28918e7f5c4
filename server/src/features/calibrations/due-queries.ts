import { type RawBuilder, sql } from 'kysely'
import { peopleSql } from '../../core/alarms/assignee-sql.ts'
import type { TenantTx } from '../../platform/context.ts'
import { allRows, firstRow } from '../../platform/db/rows.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { dueSql, isReplacedSql } from './due-sql.ts'

/** A certificate whose people have to hear that it is due. */
export interface DueRow {
  company_id: number
  id: string
  device_id: number
  device_name: string
  is_private: boolean
  certificate_no: string
  due_on: string
  is_over: boolean
}

// Told once when it is due soon, and once when it is due.
function untoldSql(now: Date): RawBuilder<boolean> {
  const { isOver, isSoon } = dueSql(now)
  return sql<boolean>`c.removed_at is null and d.decommissioned_at is null and not ${isReplacedSql}
    and ((${isSoon} and c.due_told_on is null) or (${isOver} and c.due_told_on < c.due_on))`
}

const columns = (now: Date) => sql`c.company_id, c.id, c.device_id, d.name as device_name,
  d.visibility = 'private' as is_private, c.certificate_no, c.due_on::text as due_on, ${dueSql(now).isOver} as is_over`

/** The certificates of every company whose people have to hear of them, the most urgent first. */
export const untoldCalibrations = (tx: Tx, now: Date, most: number): Promise<DueRow[]> =>
  allRows<DueRow>(tx)`
    select ${columns(now)} from calibrations c join devices d on (d.company_id, d.id) = (c.company_id, c.device_id)
    where ${untoldSql(now)} order by c.due_on, c.company_id, c.id limit ${most}`

/** Notes that it is told, where nobody did so meanwhile; undefined where it needs not be told any more. */
export const noteTold = ({ tx, companyId }: TenantTx, id: string, now: Date): Promise<DueRow | undefined> =>
  firstRow<DueRow>(tx)`
    update calibrations c set due_told_on = (${now}::timestamptz at time zone 'UTC')::date from devices d
    where c.company_id = ${companyId} and c.id = ${id}::int8 and (d.company_id, d.id) = (c.company_id, c.device_id)
      and ${untoldSql(now)}
    returning ${columns(now)}`

/** The people who may view dispatch and see the device. */
export const peopleToTell = ({ tx, companyId }: TenantTx, isPrivate: boolean): Promise<{ id: string }[]> =>
  allRows<{ id: string }>(tx)`
    select u.id from ${peopleSql} where u.company_id = ${companyId} and u.archived_at is null and u.status = 'active'
      and (u.role = 'admin' or (not ${isPrivate}::bool and coalesce((p.matrix -> 'dispatch' ->> 'view')::bool, true)))
    order by u.id`
