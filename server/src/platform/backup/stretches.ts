import type { BackupStore, StoredObject } from './backup-store.ts'
import { covered, nextSegment, readLogName, type StoredLog } from './wal-position.ts'

/**
 * A stretch is what was received through one replication slot: a log without a gap, and the base backups and files that belong to it.
 * Its name is the slot's and the folder's. After a restore, or where a slot was lost, another one begins.
 */
export const stretchShape = /^isotherm_wal_\d{8}t\d{6}z$/

export const newStretch = (now: Date): string => `isotherm_wal_${stampOf(now).toLowerCase()}`

/** An instant as names have it, to the second: 20261127T084200Z. */
export const stampOf = (at: Date): string => at.toISOString().replace(/[-:]|\.\d+/g, '')

export function readStamp(text: string): Date | null {
  const parts = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/i.exec(text)
  return parts ? new Date(`${parts[1]}-${parts[2]}-${parts[3]}T${parts[4]}:${parts[5]}:${parts[6]}Z`) : null
}

/** A base backup of a stretch: what PostgreSQL sent and the files of DATA_DIR, and what is known of it. */
export interface StoredBase {
  beganAt: Date
  archive: string
  /** A small object that is put last: without it the base was not finished. */
  about: string
  bytes: number
}

export interface StoredFiles {
  at: Date
  name: string
}

export type LogObject = StoredLog & StoredObject

export interface Stretch {
  name: string
  bases: StoredBase[]
  /** Objects of files that were added to DATA_DIR. */
  files: StoredFiles[]
  log: LogObject[]
}

export const baseNames = (stretch: string, at: Date) => ({
  archive: `${stretch}/base/${stampOf(at)}.tar.age`,
  about: `${stretch}/base/${stampOf(at)}.about.age`,
})
export const filesName = (stretch: string, at: Date): string => `${stretch}/files/${stampOf(at)}.age`
export const logFolder = (stretch: string): string => `${stretch}/wal`

/** Listings after which one is taken as it is. */
const maxListings = 6

/**
 * Lists until nothing changes between two listings. A receiver may put pieces of the log together meanwhile: one listing may then have neither
 * the pieces nor what they became, so the log would seem to end there.
 */
export async function listSettled(store: BackupStore, folder: string): Promise<StoredObject[]> {
  const all = new Map<string, StoredObject>()
  for (let [before, count] = ['', 1]; ; count += 1) {
    const objects = await store.list(folder)
    for (const each of objects) all.set(each.name, each)
    const names = objects.map(({ name }) => name).join('\n')
    if (count > 1 && names === before) return objects
    // Objects that are gone are found to be so when they are read.
    if (count === maxListings) return [...all.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
    before = names
  }
}

/** The stretches of a store, oldest first, and in each all that is finished. */
export async function listStretches(store: BackupStore): Promise<Stretch[]> {
  const byStretch = Map.groupBy(await listSettled(store, ''), ({ name }) => name.split('/')[0] ?? '')
  return [...byStretch]
    .filter(([name]) => stretchShape.test(name))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, objects]) => readStretch(name, objects))
}

export function readStretch(name: string, objects: readonly StoredObject[]): Stretch {
  const sizes = new Map(objects.map((each) => [each.name, each.bytes]))
  const stamps = (folder: string, end: string) =>
    objects.flatMap((each) => {
      const prefix = `${name}/${folder}/`
      const isOne = each.name.startsWith(prefix) && each.name.endsWith(end)
      const at = isOne ? readStamp(each.name.slice(prefix.length, -end.length)) : null
      return at ? [{ at, name: each.name }] : []
    })
  return {
    name,
    bases: stamps('base', '.about.age').flatMap(({ at, name: about }) => {
      const { archive } = baseNames(name, at)
      const bytes = sizes.get(archive)
      return bytes === undefined ? [] : [{ beganAt: at, archive, about, bytes }]
    }),
    files: stamps('files', '.age'),
    log: objects.flatMap((each) => {
      const prefix = `${logFolder(name)}/`
      const read = each.name.startsWith(prefix) ? readLogName(each.name.slice(prefix.length)) : null
      return read ? [{ ...read, ...each }] : []
    }),
  }
}

/** A segment of the log, as far as the store has it, and the objects that it needs. */
export interface LogSegment {
  at: bigint
  to: number
  parts: LogObject[]
}

/** The segments from one on that follow each other without a gap; the last one may not be whole. */
export function segmentsFrom(log: readonly LogObject[], timeline: number, from: bigint): LogSegment[] {
  const bySegment = Map.groupBy(
    log.filter((each) => each.timeline === timeline),
    ({ segment }) => segment,
  )
  const found = []
  for (let at = from; ; at = nextSegment(at)) {
    const { to, parts } = covered(bySegment.get(at) ?? [])
    if (to > 0) found.push({ at, to, parts })
    if (BigInt(to) < nextSegment(at) - at) return found
  }
}
