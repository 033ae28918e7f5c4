import { z } from 'zod'
import { noteRecord } from '../../core/devices/settings-changes.ts'
import { archiveOrphan, fixDevices, setEnded, setRunning } from '../../core/records/sweep-writes-sql.ts'
import { writeAudit } from '../../platform/audit/audit.ts'
import { asPipeline, type Transaction } from '../../platform/db/transaction.ts'
import { eachApart } from '../../platform/jobs/each-apart.ts'
import type { Job, Services } from '../../platform/services.ts'
import { arrivalOf } from './arrivals.ts'
import { target } from './present.ts'
import { type DueRecord, plannedUntil, runningPast, travelling } from './sweep-queries.ts'

const day = 86_400_000
/** Fixes from longer ago than this are not looked at every minute, only every hour. */
const routineMs = day
/** For this long a fix that comes late still says when one arrived that had ended later, unless somebody ended it by hand. */
const amendMs = 7 * day

/** Settles records, each in a transaction of its own. */
const settleEach = (
  { pool, log }: Services,
  records: readonly DueRecord[],
  work: (transaction: Transaction, record: DueRecord) => Promise<void>,
): Promise<void> => {
  const failed = ({ companyId, id }: DueRecord, err: unknown) =>
    log.error({ err, companyId, record: id }, 'a record could not be begun or ended')
  return eachApart(records, { failed }, (record) => asPipeline(pool, (transaction) => work(transaction, record)))
}

/** Ends what a fix since an instant brought to its destination. */
const endArrived = async (services: Services, now: Date, since: Date): Promise<void> =>
  settleEach(services, await travelling(services.pool, new Date(now.getTime() - amendMs)), (transaction, record) =>
    arrive(transaction, record, since, now),
  )

/**
 * Every minute: begins records whose time has come, ends those that have arrived, then those whose time is over. All of it
 * binds to the instants of the plan and of the fixes, however late the sweep or the data.
 */
export const sweepRecords: Job<Record<string, never>> = {
  name: 'sweep-records',
  payload: z.strictObject({}),
  retryLimit: 1,
  cron: '* * * * *',
  async run(services) {
    const { pool, clock } = services
    const now = clock.now()
    await settleEach(services, await plannedUntil(pool, now), (transaction, record) => begin(transaction, record, now))
    await endArrived(services, now, new Date(now.getTime() - routineMs))
    await settleEach(services, await runningPast(pool, now), (transaction, record) =>
      end(transaction, record, record.endAt ?? now, 'time', now),
    )
  },
}

/** Every hour: what fixes that came very late say of arrivals. */
export const sweepLateArrivals: Job<Record<string, never>> = {
  name: 'sweep-late-arrivals',
  payload: z.strictObject({}),
  retryLimit: 1,
  cron: '17 * * * *',
  run: (services) => endArrived(services, services.clock.now(), new Date(0)),
}

const about = (at: Date) => ({
  actor: { kind: 'system' as const, name: 'records' },
  origin: { address: '', agent: 'job', requestId: '' },
  at,
})

/** Deletes the plan of a record whose group was deleted before it began: it would be of nothing. */
async function dropOrphan({ client, tx }: Transaction, record: DueRecord, now: Date): Promise<boolean> {
  if (!(await archiveOrphan(client, record, now))) return false
  const before = { name: record.name, startAt: record.startAt.toISOString() }
  await writeAudit(tx, record.companyId, about(now), [{ action: 'records.removed', target: target(record), before }])
  return true
}

async function begin(transaction: Transaction, record: DueRecord, now: Date): Promise<void> {
  const { client, tx } = transaction
  if (!(await setRunning(client, record, now))) return
  if (record.groupId !== null && (await dropOrphan(transaction, record, now))) return
  if (record.groupId !== null) await fixDevices(client, record)
  await noteRecord(tx, record.companyId, record.id)
  const after = { startAt: record.startAt.toISOString() }
  await writeAudit(tx, record.companyId, about(now), [{ action: 'records.started', target: target(record), after }])
}

async function end({ client, tx }: Transaction, record: DueRecord, at: Date, by: 'time' | 'destination', now: Date) {
  if (!(await setEnded(client, record, { at, by, now }))) return
  await noteRecord(tx, record.companyId, record.id)
  const after = { endAt: at.toISOString(), by }
  await writeAudit(tx, record.companyId, about(now), [{ action: 'records.ended', target: target(record), after }])
}

async function arrive(transaction: Transaction, record: DueRecord, since: Date, now: Date): Promise<void> {
  const at = await arrivalOf(transaction.client, record, since, now)
  if (at) await end(transaction, record, at, 'destination', now)
}
