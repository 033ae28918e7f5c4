import { statfs } from 'node:fs/promises'
import { RefusedError } from '../../platform/backup/refused.ts'

const MB = 1e6
/** Never taken of a disk: PostgreSQL on the same one stops when it is full. */
const RESERVE_BYTES = 256 * MB

/** Tells how much of a folder's disk we may fill; tests say what they like. */
export type FreeBytes = (dir: string) => Promise<number>

export const freeBytesOf: FreeBytes = async (dir) => {
  const { bavail, bsize } = await statfs(dir)
  return bavail * bsize
}

/** Throws when a folder's disk has no room for so much. */
export async function needRoom(dir: string, bytes: number, freeBytes: FreeBytes = freeBytesOf): Promise<void> {
  const free = await freeBytes(dir)
  if (free - RESERVE_BYTES >= bytes) return
  throw new RefusedError(
    `The disk of ${dir} is too small: ${inWords(free)} free, ${inWords(bytes + RESERVE_BYTES)} needed.`,
  )
}

/** Bytes as people read them, by thousands as disks are sold. */
export function inWords(bytes: number): string {
  const units = ['kB', 'MB', 'GB', 'TB']
  const step = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(bytes, 1)) / 3) - 1))
  return `${(bytes / 1000 ** (step + 1)).toFixed(1)} ${units[step]}`
}
