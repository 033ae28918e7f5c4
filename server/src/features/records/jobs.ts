import { z } from 'zod'
import { writeAudit } from '../../platform/audit/audit.ts'
import type { Pool } from '../../platform/db/pool.ts'
import { asPipeline, type Transaction } from '../../platform/db/transaction.ts'
import { noteRecord } from '../../platform/devices/settings-changes.ts'
import type { Job } from '../../platform/jobs/jobs.ts'
import { arrivalOf, type Travelling } from './arrivals.ts'

interface Due extends Travelling {
  name: string
  groupId: string | null
  state: string
}

const columns = `company_id as "companyId", id, name, group_id as "groupId", start_at as "startAt", end_at as "endAt", state,
  destination -> 'area' as area`
const day = 86_400_000
/** Fixes from longer ago than this are not looked at every minute, only every hour. */
const routineMs = day
/** For this long a fix that comes late still says when one arrived that had ended later, unless somebody ended it by hand. */
const amendMs = 7 * day

const due = (pool: Pool, where: string, values: unknown[]) =>
  asPipeline(pool, async ({ client }) => {
    const { rows } = await client.query<Due>(
      `select ${columns} from records where archived_at is null and ${where} order by company_id, id`,
      values,
    )
    return rows
  })

/** Ends what a fix since an instant brought to its destination. */
async function endArrived(pool: Pool, now: Date, since: Date): Promise<void> {
  const where = `destination is not null and (state = 'running' or (state = 'ended' and ended_by <> 'hand' and end_at > $1))`
  for (const record of await due(pool, where, [new Date(now.getTime() - amendMs)]))
    await asPipeline(pool, (transaction) => arrive(transaction, record, since, now))
}

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
    for (const record of await due(pool, `state = 'planned' and start_at <= $1`, [now]))
      await asPipeline(pool, (transaction) => begin(transaction, record, now))
    await endArrived(pool, now, new Date(now.getTime() - routineMs))
    for (const record of await due(pool, `state = 'running' and end_at <= $1`, [now]))
      await asPipeline(pool, (transaction) => end(transaction, record, record.endAt ?? now, 'time', now))
  },
}

/** Every hour: what fixes that came very late say of arrivals. */
export const sweepLateArrivals: Job<Record<string, never>> = {
  name: 'sweep-late-arrivals',
  payload: z.strictObject({}),
  retryLimit: 1,
  cron: '17 * * * *',
  run: ({ pool, clock }) => endArrived(pool, clock.now(), new Date(0)),
}

const about = (at: Date) => ({
  actor: { kind: 'system' as const, name: 'records' },
  origin: { address: '', agent: 'job', requestId: '' },
  at,
})
const target = ({ id, name }: Due) => ({ kind: 'record', id, name })

/** Deletes the plan of a record whose group was deleted before it began: it would be of nothing. */
async function dropOrphan({ client, tx }: Transaction, record: Due, now: Date): Promise<boolean> {
  const { rowCount } = await client.query(
    `update records r set state = 'planned', archived_at = $4 from groups g where r.company_id = $1 and r.id = $2
       and g.company_id = r.company_id and g.id = $3 and g.archived_at is not null`,
    [record.companyId, record.id, record.groupId, now],
  )
  if (rowCount === 0) return false
  const before = { name: record.name, startAt: record.startAt.toISOString() }
  await writeAudit(tx, record.companyId, about(now), [{ action: 'records.removed', target: target(record), before }])
  return true
}

async function begin(transaction: Transaction, record: Due, now: Date): Promise<void> {
  const { client, tx } = transaction
  const { rowCount } = await client.query(
    `update records set state = 'running', updated_at = $3 where company_id = $1 and id = $2 and state = 'planned'`,
    [record.companyId, record.id, now],
  )
  if (rowCount === 0) return
  if (record.groupId !== null && (await dropOrphan(transaction, record, now))) return
  if (record.groupId !== null)
    await client.query(
      `insert into record_devices (company_id, record_id, device_id)
       select m.company_id, $2::int8, m.device_id from group_devices m
       join devices d on d.company_id = m.company_id and d.id = m.device_id
       where m.company_id = $1 and m.group_id = $3 and d.decommissioned_at is null on conflict do nothing`,
      [record.companyId, record.id, record.groupId],
    )
  await noteRecord(tx, record.companyId, record.id)
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
  await noteRecord(tx, record.companyId, record.id)
  const after = { endAt: at.toISOString(), by }
  await writeAudit(tx, record.companyId, about(now), [{ action: 'records.ended', target: target(record), after }])
}

async function arrive(transaction: Transaction, record: Due, since: Date, now: Date): Promise<void> {
  const at = await arrivalOf(transaction.client, record, since, now)
  if (at) await end(transaction, record, at, 'destination', now)
}
