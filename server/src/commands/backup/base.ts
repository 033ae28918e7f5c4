import { Readable } from 'node:stream'
import pg from 'pg'
import { z } from 'zod'
import type { BackupStore } from '../../platform/backup/backup-store.ts'
import { drillSecret } from '../../platform/backup/drills.ts'
import type { Identities } from '../../platform/backup/identity-file.ts'
import { RefusedError } from '../../platform/backup/refused.ts'
import { open, type Sealer, seal } from '../../platform/backup/sealed.ts'
import { slotsOf } from '../../platform/backup/slots.ts'
import { baseNames, readStretch, type StoredBase } from '../../platform/backup/stretches.ts'
import { positionText } from '../../platform/backup/wal-position.ts'
import { installationSecret } from '../../platform/config/secret.ts'
import { connectionOf } from '../../platform/db/connection.ts'
import { Archive, version } from './archive.ts'
import { bytesOf, listDataFiles } from './data-files.ts'
import { databaseState } from './database-state.ts'
import { inWords } from './room.ts'

const About = z.object({
  /** Times of the machine that made it: from `endedAt` on any instant can be restored. */
  beganAt: z.iso.datetime(),
  endedAt: z.iso.datetime(),
  /** The part of the log that it needs. */
  from: z.string(),
  to: z.string(),
  timeline: z.int(),
  version: z.string(),
  postgres: z.string(),
  /** Unpacked. */
  bytes: z.number(),
  /** Readings by day of the last days, that a drill finds again. */
  readings: z.array(z.object({ day: z.string(), count: z.number() })),
  /** The secret by which a drill proves that it opened this base. */
  drillSecret: z.string().optional(),
})

/** Facts of a base backup without unpacking it. */
export type AboutBase = z.infer<typeof About>

interface NewBase {
  dataDir: string
  database: { url: string; backupUrl: string }
  store: BackupStore
  sealer: Sealer
}

/** Makes a base backup for the stretch that is being received. Its room is looked at before, in the store. */
export async function makeBase({ dataDir, database, store, sealer }: NewBase): Promise<StoredBase> {
  const stretch = (await slotsOf(database.url))[0]?.slot_name
  if (!stretch)
    throw new RefusedError('No log is being received: start the server with BACKUP_DIR or BACKUP_S3_BUCKET first.')
  const state = await databaseState(database.url)
  const expected = state.bytes / 2 + (await bytesOf(dataDir, await listDataFiles(dataDir)))
  const free = await store.freeBytes().catch(() => null)
  if (free !== null && free < expected)
    throw new RefusedError(
      `The room of ${store.place} is too small: ${inWords(free)} free, ${inWords(expected)} needed.`,
    )
  const readings = await readingsByDay(database.url)
  const beganAt = new Date()
  const names = baseNames(stretch, beganAt)
  const archive = new Archive({ dataDir, database, withKeys: false, now: beganAt }, state)
  const bytes = await store.put(names.archive, seal(names.archive, {}, archive.bytes(), sealer))
  if (!archive.span) throw new RefusedError('PostgreSQL did not say which part of its log the backup needs.')
  const { from, to, timeline } = archive.span
  const about: AboutBase = {
    ...{ beganAt: beganAt.toISOString(), endedAt: new Date().toISOString(), bytes: archive.read, readings },
    drillSecret: drillSecret(await installationSecret(dataDir), names.archive),
    ...{ from: positionText(from), to: positionText(to), timeline, version, postgres: state.postgres },
  }
  await store.put(names.about, seal(names.about, about, Readable.from([]), sealer))
  return { beganAt, ...names, bytes }
}

/** Reads what is known of a base. */
export async function aboutBase(store: BackupStore, base: StoredBase, identities: Identities): Promise<AboutBase> {
  const { about, content } = await open(base.about, await store.get(base.about), identities)
  for await (const _ of content);
  return About.parse(about)
}

/** The last base of the stretch that is being received, null without one. */
export async function lastBase(store: BackupStore, stretch: string): Promise<Date | null> {
  return readStretch(stretch, await store.list(`${stretch}/base`)).bases.at(-1)?.beganAt ?? null
}

/** Readings of the last seven whole days. */
export async function readingsByDay(url: string, before = new Date()): Promise<AboutBase['readings']> {
  const client = new pg.Client(connectionOf(url))
  await client.connect()
  try {
    const today = before.toISOString().slice(0, 10)
    await client.query('begin read only; set local role pipeline')
    const { rows } = await client.query(
      `select to_char(measured_at at time zone 'UTC', 'YYYY-MM-DD') as day, count(*)::float8 as count from readings
       where measured_at >= $1::date - 7 and measured_at < $1::date group by 1 order by 1`,
      [`${today}T00:00:00Z`],
    )
    return rows
  } finally {
    await client.end()
  }
}
