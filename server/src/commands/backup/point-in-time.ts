import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { Absent, type BackupStore } from '../../platform/backup/backup-store.ts'
import type { Identities } from '../../platform/backup/identity-file.ts'
import { RefusedError } from '../../platform/backup/refused.ts'
import { open } from '../../platform/backup/sealed.ts'
import {
  type LogSegment,
  listSettled,
  listStretches,
  logFolder,
  readStretch,
  type StoredBase,
  type Stretch,
  segmentsFrom,
} from '../../platform/backup/stretches.ts'
import { readPosition, SEGMENT_BYTES, segmentName, segmentStart } from '../../platform/backup/wal-position.ts'
import { type AboutBase, aboutBase } from './base.ts'
import { checkDataName, readArchive } from './read-backup.ts'
import type { BackupToRestore } from './restore-backup.ts'
import { unpack } from './stage.ts'
import { readTar } from './tar.ts'

/** The backup in a store, seen by who can open it. */
export interface Vault {
  store: BackupStore
  identities: Identities
}

/** The instant to restore; null: all that there is. */
export type Target = Date | null

interface Chosen {
  stretch: Stretch
  base: StoredBase
  about: AboutBase
}

/** Log that the server wrote so long after the instant is not unpacked: what it says of is later. */
const SLACK_MS = 60_000

/** Finds all that a restore to an instant needs. Throws RefusedError where the instant cannot be reached, and says what can. */
export async function findInstant(vault: Vault, to: Target): Promise<BackupToRestore> {
  const chosen = await chooseBase(vault, to)
  const segments = segmentsFrom(chosen.stretch.log, chosen.about.timeline, logBegin(chosen))
  return {
    about: { database: { postgres: chosen.about.postgres, migrations: [] }, files: [publicHalf] },
    readings: chosen.about.readings,
    base: { name: chosen.base.archive, drillSecret: chosen.about.drillSecret },
    bytes: chosen.about.bytes + segments.length * SEGMENT_BYTES,
    source: {
      hasDatabase: true,
      read: (take) => readArchive(chosen.base.archive, () => contentOf(vault, chosen.base.archive), take),
      async prepare(dir) {
        await unpackFiles(vault, chosen, to, dir)
        await unpackLog(vault, chosen, segments, to, join(dir, 'postgres/cluster'))
      },
      settings: {
        // All of it is in pg_wal already.
        restore_command: 'false',
        // The recovery runs in single-user mode, while the logins are made.
        hot_standby: 'off',
        recovery_target_timeline: 'current',
        ...(to
          ? {
              recovery_target_time: endOfMillisecond(to),
              recovery_target_action: 'promote',
            }
          : {}),
      },
      explain: (error) => explain(vault, chosen, to, error),
    },
  }
}

/**
 * PostgreSQL stamps commits to the microsecond and leaves out those after its target, but whoever notes an instant has a clock of milliseconds: all of
 * that millisecond is restored, else what was acknowledged within it could be missing.
 */
const endOfMillisecond = (at: Date): string => at.toISOString().replace('T', ' ').replace('Z', '999+00')

/** The base before the instant that is nearest to it. */
async function chooseBase(vault: Vault, to: Target): Promise<Chosen> {
  const stretches = await listStretches(vault.store)
  const all = stretches.flatMap((stretch) => stretch.bases.map((base) => ({ stretch, base })))
  if (all.length === 0) throw new RefusedError(`There is no finished base backup in ${vault.store.place}.`)
  const newestFirst = all.sort((a, b) => b.base.beganAt.getTime() - a.base.beganAt.getTime())
  let earliest = ''
  for (const { stretch, base } of newestFirst) {
    if (to && base.beganAt > to && base !== newestFirst.at(-1)?.base) continue
    const about = await aboutBase(vault.store, base, vault.identities)
    earliest = about.endedAt
    if (!to || Date.parse(about.endedAt) <= to.getTime()) return { stretch, base, about }
  }
  throw new RefusedError(
    `The backup reaches no further back than ${earliest}: nothing of ${to?.toISOString()} is in it.`,
  )
}

/** The segment after which the base holds no more of the log itself. */
const logBegin = ({ about }: Chosen): bigint => segmentStart(readPosition(about.to))

const publicHalf = { path: 'data/audit-public-keys.json', bytes: 0, sha256: '' }

async function contentOf({ store, identities }: Vault, name: string): Promise<Readable> {
  const { content } = await open(name, await store.get(name), identities)
  return Readable.from(content, { objectMode: false })
}

/** Files that were added after the base, up to the instant. */
async function unpackFiles(vault: Vault, { stretch, base }: Chosen, to: Target, dir: string): Promise<void> {
  const latest = to ? to.getTime() + SLACK_MS : Number.POSITIVE_INFINITY
  for (const { name, at } of stretch.files) {
    if (at < base.beganAt || at.getTime() > latest) continue
    for await (const entry of readTar(await contentOf(vault, name))) {
      checkDataName(entry)
      // One that the base has, too, is the same: names are never used again.
      await unpack(entry, dir).catch(async (error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error
        for await (const _ of entry.body);
      })
    }
  }
}

async function unpackLog(
  vault: Vault,
  { stretch, about }: Chosen,
  segments: LogSegment[],
  to: Target,
  cluster: string,
) {
  for (const each of segments) {
    const { bytes, since } = await segmentOf(vault, stretch.name, about.timeline, each)
    await writeFile(join(cluster, 'pg_wal', segmentName(about.timeline, each.at)), bytes, { mode: 0o600 })
    if (to && Date.parse(since) > to.getTime() + SLACK_MS) break
  }
  await writeFile(join(cluster, 'recovery.signal'), '', { mode: 0o600 })
}

/** The receiver puts pieces together at most so often while one segment is read. */
const LISTINGS = 20

/**
 * A segment of the log. A receiver may put its pieces together meanwhile, and remove them once the larger one is stored: then the store is listed
 * again. Throws Absent where the segment is not there any more.
 */
export async function segmentOf(vault: Vault, stretch: string, timeline: number, listed: LogSegment) {
  for (let [segment, listings] = [listed, 1]; ; listings += 1)
    try {
      return await readSegment(vault, segment)
    } catch (error) {
      if (!(error instanceof Absent) || listings === LISTINGS) throw error
      const { log } = readStretch(stretch, await listSettled(vault.store, logFolder(stretch)))
      const again = segmentsFrom(log, timeline, listed.at)[0]
      if (!again || again.to < listed.to) throw error
      segment = again
    }
}

async function readSegment(vault: Vault, { parts }: LogSegment): Promise<{ bytes: Buffer; since: string }> {
  const bytes = Buffer.alloc(SEGMENT_BYTES)
  let since = ''
  for (const { name, from, to } of parts) {
    const { about, content } = await open(name, await vault.store.get(name), vault.identities)
    since ||= String(about.since)
    let filled = from
    for await (const chunk of content) filled += chunk.copy(bytes, filled)
    if (filled !== to) throw new RefusedError(`${name} holds ${filled - from} bytes of the log, not ${to - from}.`)
  }
  return { bytes, since }
}

/** Words why PostgreSQL did not get to the instant. */
async function explain(vault: Vault, chosen: Chosen, to: Target, error: unknown): Promise<unknown> {
  const { message } = error as Error
  if (to === null || !/recovery ended before configured recovery target/.test(message)) return error
  const { stretch, about } = chosen
  const last = segmentsFrom(stretch.log, about.timeline, logBegin(chosen)).at(-1)
  const end = last ? last.at + BigInt(last.to) : readPosition(about.to)
  const later = stretch.log.filter(({ segment, timeline }) => timeline === about.timeline && segment > end)
  const missing = later.length > 0 ? ` Segment ${segmentName(about.timeline, end)} is missing, or a part of it.` : ''
  const reached = /last completed transaction was at log time ([\d-]+ [\d:.]+)/.exec(message)?.[1]
  const until = reached ? `${reached.replace(' ', 'T')}Z` : about.endedAt
  return new RefusedError(
    `The backup in ${vault.store.place} does not reach ${to.toISOString()}: from ${about.endedAt} it reaches to ${until}.${missing}`,
  )
}
