import { chown, mkdir, readdir, rename, rmdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { RefusedError } from '../../platform/backup/refused.ts'

/**
 * Puts what is in `stage` into `dataDir`, both on one disk, and what was there into `aside`, by renaming alone. What cannot be
 * moved (a mount point) undoes the rest and throws.
 */
export async function swap(dataDir: string, stage: string, aside: string, old: string[]): Promise<void> {
  const done: [from: string, to: string][] = []
  const move = async (from: string, to: string) => {
    await rename(from, to)
    done.push([from, to])
  }
  if (old.length > 0) await mkdir(aside, { mode: 0o700 })
  try {
    if (old.length > 0) {
      const { uid, gid } = await stat(dataDir)
      await chown(aside, uid, gid)
    }
    // The cluster is last: without one beside it, a folder that was left half-way starts no empty database unseen.
    for (const name of clusterLast([...new Set([...old, ...(await readdir(stage))])])) {
      if (old.includes(name)) await move(join(dataDir, name), join(aside, name))
      if ((await readdir(stage)).includes(name)) await move(join(stage, name), join(dataDir, name))
    }
    await rmdir(stage)
  } catch (error) {
    for (const [from, to] of done.reverse()) await rename(to, from)
    if (old.length > 0) await rmdir(aside)
    throw new RefusedError(
      `What is in ${dataDir} cannot be moved aside, nothing was changed: ${(error as Error).message}`,
    )
  }
}

const clusterLast = (names: string[]) => names.sort((a, b) => Number(a === 'postgres') - Number(b === 'postgres'))
