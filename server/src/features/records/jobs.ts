import type { FenceArea } from '@isotherm/contract/places.ts'
import { z } from 'zod'
import { isInside } from '../../domain/fences.ts'
import { writeAudit } from '../../platform/audit/audit.ts'
import type { Client } from '../../platform/db/pool.ts'
import { asRoad, type Transaction } from '../../platform/db/transaction.ts'
import type { Job } from '../../platform/jobs/jobs.ts'

interface Due {
  companyId: number
  id: string
  name: string
  groupId: string | null
  startAt: Date
  endAt: Date | null
  state: string
  area: FenceArea | null
}

const columns = `company_id as "companyId", id, name, group_id as "groupId", start_at as "startAt", end_at as "endAt", state,
  destination -> 'area' as area`
/** For this long a fix that comes late still says when one arrived that had ended later, unless somebody ended it by hand. */
const amendMs = 7 * 86_400_000

/**
 * Every minute: begins records whose time has come, ends those that have arrived, then those whose time is over. All of it
 * binds to the instants of the plan and of the fixes, however late the sweep or the data.
 */
export const sweepRecords: Job<Record<string, never>> = {
  name: 'sweep-records',
  payload: z.strictObject({}),
  retryLimit: 1,
  cron: '* * * * *',
  async run({ pool, clock }) {
    const now = clock.now()
    const due = (where: string, values: unknown[]) =>
      asRoad(pool, async ({ client }) => {
        const { rows } = await client.query<Due>(
          `select ${columns} from records where archived_at is null and ${where} order by company_id, id`,
          values,
        )
        return rows
      })
    for (const record of await due(`state = 'planned' and start_at <= $1`, [now]))
      await asRoad(pool, (transaction) => begin(transaction, record, now))
    const running = `destination is not null and (state = 'running' or (state = 'ended' and ended_by <> 'hand' and end_at > $1))`
    for (const record of await due(running, [new Date(now.getTime() - amendMs)]))
      await asRoad(pool, (transaction) => arrive(transaction, record, now))
    for (const record of await due(`state = 'running' and end_at <= $1`, [now]))
      await asRoad(pool, (transaction) => end(transaction, record, record.endAt ?? now, 'time', now))
  },
}

const about = (at: Date) => ({
  actor: { kind: 'system' as const, name: 'records' },
  origin: { address: '', agent: 'job', requestId: '' },
  at,
})
const target = ({ id, name }: Due) => ({ kind: 'record', id, name })

async function begin({ client, tx }: Transaction, record: Due, now: Date): Promise<void> {
  const { rowCount } = await client.query(
    `update records set state = 'running', updated_at = $3 where company_id = $1 and id = $2 and state = 'planned'`,
    [record.companyId, record.id, now],
  )
  if (rowCount === 0) return
  if (record.groupId !== null)
    await client.query(
      `insert into record_devices (company_id, record_id, device_id)
       select m.company_id, $2::int8, m.device_id from group_devices m
       join devices d on d.company_id = m.company_id and d.id = m.device_id
       where m.company_id = $1 and m.group_id = $3 and d.decommissioned_at is null on conflict do nothing`,
      [record.companyId, record.id, record.groupId],
    )
  const after = { startAt: record.startAt.toISOString() }
  await writeAudit(tx, record.companyId, about(now), [{ action: 'records.started', target: target(record), after }])
}

async function end({ client, tx }: Transaction, record: Due, at: Date, by: 'time' | 'destination', now: Date) {
  const { rowCount } = await client.query(
    `update records set state = 'ended', ended_by = $3, end_at = $4, updated_at = $5
     where company_id = $1 and id = $2 and (state = 'running' or (state = 'ended' and ended_by <> 'hand' and end_at > $4))`,
    [record.companyId, record.id, by, at, now],
  )
  if (rowCount === 0) return
  const after = { endAt: at.toISOString(), by }
  await writeAudit(tx, record.companyId, about(now), [{ action: 'records.ended', target: target(record), after }])
}

async function arrive(transaction: Transaction, record: Due, now: Date): Promise<void> {
  const at = record.area && (await arrivalOf(transaction.client, record, record.area, now))
  if (at) await end(transaction, record, at, 'destination', now)
}

interface Fix {
  deviceId: number
  at: number
  lat: number
  lon: number
}

/** When the first of a record's devices came into its destination; who began inside must have left first. */
async function arrivalOf(client: Client, record: Due, area: FenceArea, now: Date): Promise<Date | null> {
  const until = record.endAt && record.endAt < now ? record.endAt : now
  const fix = `device_id as "deviceId", (extract(epoch from measured_at) * 1000)::float8 as at, lat_e7 / 1e7 as lat, lon_e7 / 1e7 as lon`
  const { rows } = await client.query<Fix>(
    `select f.* from record_devices m cross join lateral (
       (select ${fix} from readings where company_id = m.company_id and device_id = m.device_id and lat_e7 is not null
          and lon_e7 is not null and measured_at >= $3 and measured_at <= $4)
       union all
       (select ${fix} from readings where company_id = m.company_id and device_id = m.device_id and lat_e7 is not null
          and lon_e7 is not null and measured_at < $3 and measured_at > $3 - interval '1 day'
          order by measured_at desc limit 1)) as f
     where m.company_id = $1 and m.record_id = $2 order by f.at`,
    [record.companyId, record.id, record.startAt, until],
  )
  const began = record.startAt.getTime()
  const inside = new Set<number>()
  for (const { deviceId, at, lat, lon } of rows) {
    const isIn = isInside(area, { lat: Number(lat), lon: Number(lon) })
    if (!isIn) inside.delete(deviceId)
    else if (at < began) inside.add(deviceId)
    // A record lasts at least an instant.
    else if (!inside.has(deviceId)) return new Date(Math.max(at, began + 1))
  }
  return null
}
