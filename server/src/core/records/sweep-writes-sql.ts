import type { Client } from '../../platform/db/pool.ts'
import { writeEvents } from '../events/note-events.ts'
import { countsInGroupText } from '../groups/visible-groups.ts'
import { type EndedRow, endedText, recordEnded } from './record-ended.ts'

/** A record whose time has come, for the sweeps. */
interface Due {
  companyId: number
  id: string
  groupId: string | null
}

/** False where it has begun already, or is gone. */
export async function setRunning(client: Client, { companyId, id }: Due, now: Date): Promise<boolean> {
  const { rowCount } = await client.query(
    `update records set state = 'running', updated_at = $3 where company_id = $1 and id = $2 and state = 'planned' and archived_at is null`,
    [companyId, id, now],
  )
  return rowCount !== 0
}

/** Deletes the plan of a record whose group was deleted; false where the group is there. */
export async function archiveOrphan(client: Client, { companyId, id, groupId }: Due, now: Date): Promise<boolean> {
  const { rowCount } = await client.query(
    `update records r set state = 'planned', archived_at = $4 from groups g where r.company_id = $1 and r.id = $2
       and g.company_id = r.company_id and g.id = $3 and g.archived_at is not null`,
    [companyId, id, groupId, now],
  )
  return rowCount !== 0
}

/** Gives a record the devices that its group has now. */
export const fixDevices = (client: Client, { companyId, id, groupId }: Due) =>
  client.query(
    `insert into record_devices (company_id, record_id, device_id)
     select m.company_id, $2::int8, m.device_id from group_devices m
     join devices d on d.company_id = m.company_id and d.id = m.device_id
     where m.company_id = $1 and m.group_id = $3 and d.decommissioned_at is null and ${countsInGroupText} on conflict do nothing`,
    [companyId, id, groupId],
  )

/** False where it has ended already, by hand or earlier. */
export async function setEnded(
  client: Client,
  { companyId, id }: Due,
  { at, by, now }: { at: Date; by: 'time' | 'destination'; now: Date },
): Promise<boolean> {
  const { rowCount } = await client.query(
    `update records set state = 'ended', ended_by = $3, end_at = $4, updated_at = $5
     where company_id = $1 and id = $2 and archived_at is null and (state = 'running' or (state = 'ended' and ended_by <> 'hand' and end_at > $4))`,
    [companyId, id, by, at, now],
  )
  if (rowCount === 0) return false
  const { rows } = await client.query<EndedRow>(endedText, [companyId, id])
  await writeEvents(
    client,
    rows.map((row) => recordEnded(row, now)),
  )
  return true
}
