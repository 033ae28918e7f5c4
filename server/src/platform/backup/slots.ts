import pg from 'pg'
import { connectionOf } from '../db/connection.ts'
import type { BackupStore } from './backup-store.ts'
import { RefusedError } from './refused.ts'
import { listStretches, newStretch, segmentsFrom, stretchShape } from './stretches.ts'
import { readPosition, segmentStart } from './wal-position.ts'

/** Logins of a PostgreSQL: one for questions, one that speaks the replication protocol. */
export interface Logins {
  url: string
  backupUrl: string
}

/** A stretch to go on with. */
export interface Resumed {
  stretch: string
  timeline: number
  systemId: string
  /** The segment that the receiver begins with. */
  from: bigint
  /** Why it is a new one, without a base; null: it goes on. */
  begun: string | null
}

interface Slot {
  slot_name: string
  wal_status: string | null
  restart_lsn: string | null
}

/** The replication slots of backups; there is one, or none. */
export async function slotsOf(url: string): Promise<Slot[]> {
  const { rows } = await once(url, 'select slot_name, wal_status, restart_lsn::text from pg_replication_slots')
  return (rows as unknown as Slot[]).filter(({ slot_name }) => stretchShape.test(slot_name))
}

/** Goes on with the stretch of the slot that is there, where its log and the store's meet; else begins a new one. */
export async function resumeStretch({ url, backupUrl }: Logins, store: BackupStore, now: Date): Promise<Resumed> {
  const { rows: systems } = await once(backupUrl, 'IDENTIFY_SYSTEM')
  const { rows: sizes } = await once(backupUrl, 'SHOW wal_segment_size')
  if (sizes[0]?.wal_segment_size !== '16MB') throw new RefusedError('The log of PostgreSQL has no segments of 16 MB.')
  const system = { timeline: Number(systems[0]?.timeline), systemId: String(systems[0]?.systemid) }
  const slots = await slotsOf(url)
  const [slot] = slots
  const reason = slot ? await faultOf(slot, store, system.timeline) : { fault: 'no log was received yet' }
  if (slot && 'from' in reason) return { stretch: slot.slot_name, ...system, from: reason.from, begun: null }
  for (const { slot_name } of slots) await once(backupUrl, `DROP_REPLICATION_SLOT "${slot_name}"`)
  const stretch = newStretch(now)
  await once(backupUrl, `CREATE_REPLICATION_SLOT "${stretch}" PHYSICAL (RESERVE_WAL)`)
  const begins = (await slotsOf(url))[0]?.restart_lsn
  if (!begins) throw new RefusedError('The new replication slot keeps no log.')
  const begun = 'fault' in reason ? reason.fault : ''
  return { stretch, ...system, from: segmentStart(readPosition(begins)), begun }
}

/** Where the store's log ends, if that of the slot follows it. */
async function faultOf(
  slot: Slot,
  store: BackupStore,
  timeline: number,
): Promise<{ from: bigint } | { fault: string }> {
  if (slot.wal_status === 'lost' || !slot.restart_lsn)
    return { fault: 'PostgreSQL kept the log no longer: the receiver was away for too long' }
  const kept = segmentStart(readPosition(slot.restart_lsn))
  const stretch = (await listStretches(store)).find(({ name }) => name === slot.slot_name)
  const first = stretch?.log.map(({ segment }) => segment).sort((a, b) => Number(a - b))[0]
  // Nothing was stored yet: all of it is still with PostgreSQL.
  if (!stretch || first === undefined)
    return stretch ? { from: kept } : { fault: `the log until now is not in ${store.place}` }
  const segments = segmentsFrom(
    stretch.log,
    timeline,
    stretch.log.some(({ segment }) => segment === kept) ? kept : first,
  )
  const last = segments.at(-1)
  if (!last) return { fault: 'the log is on another timeline' }
  const from = last.to === 16 * 2 ** 20 ? last.at + BigInt(last.to) : last.at
  return from < kept ? { fault: `some of the log is missing in ${store.place}` } : { from }
}

/** Ends the keeping of log for a receiver that is not configured any more. Returns whether there was one. */
export async function dropSlots({ url, backupUrl }: Logins): Promise<boolean> {
  const slots = await slotsOf(url)
  for (const { slot_name } of slots) await once(backupUrl, `DROP_REPLICATION_SLOT "${slot_name}"`)
  return slots.length > 0
}

async function once(url: string, text: string): Promise<pg.QueryResult<Record<string, string | undefined>>> {
  const client = new pg.Client({ ...connectionOf(url), application_name: 'isotherm backup' })
  client.on('error', () => {})
  await client.connect()
  try {
    return await client.query(text)
  } finally {
    await client.end()
  }
}
