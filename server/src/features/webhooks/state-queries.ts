import { sql } from 'kysely'
import { statusSql } from '../../core/devices/status-sql.ts'
import { allRows } from '../../platform/db/rows.ts'
import type { Tx } from '../../platform/db/transaction.ts'

export interface StateRow {
  companyId: number
  deviceId: number
  state: 'online' | 'offline' | 'expired' | 'other'
  /** As it was told, or noted, last; null: nobody looked before. */
  before: StateRow['state'] | null
  lastReadingAt: Date | null
  licenceUntil: Date | null
}

/**
 * Devices, of companies whose feed is on, that stand otherwise than was noted: of all but sandboxes, whose clocks stand, or of one sandbox. As
 * pipeline.
 */
export const changedStates = (tx: Tx, now: Date, atMost: number, sandbox?: number): Promise<StateRow[]> =>
  allRows<StateRow>(tx)`
    select * from (
      select d.company_id as "companyId", d.id as "deviceId", s.state as before, l.measured_at as "lastReadingAt",
        d.licence_until as "licenceUntil", case ${statusSql(now)} when 'live' then 'online' when 'late' then 'online'
          when 'offline' then 'offline' when 'expired' then 'expired' else 'other' end as state
      from event_feeds f join devices d on d.company_id = f.company_id
      left join device_latest l on l.company_id = d.company_id and l.device_id = d.id
      left join device_event_states s on s.company_id = d.company_id and s.device_id = d.id
      where f.is_on and ${
        sandbox === undefined
          ? sql`not exists (select from sandbox_clocks k where k.company_id = f.company_id)`
          : sql`f.company_id = ${sandbox}`
      }) now
    where state is distinct from before order by "companyId", "deviceId" limit ${atMost}`

export const writeStates = (tx: Tx, rows: readonly StateRow[]) =>
  sql`
  insert into device_event_states (company_id, device_id, state)
  select * from unnest(${rows.map(({ companyId }) => companyId)}::int4[], ${rows.map(({ deviceId }) => deviceId)}::int4[],
    ${rows.map(({ state }) => state)}::text[])
  on conflict (company_id, device_id) do update set state = excluded.state`.execute(tx)
