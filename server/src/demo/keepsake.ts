import { chmod, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { makeFolder } from '../platform/files/make-folder.ts'

/** Secrets that the demo must remember and the database keeps only as hashes. */
const Keepsake = z.object({ password: z.string(), secrets: z.record(z.string(), z.string()) })
export type Keepsake = z.infer<typeof Keepsake>

const fileOf = (dataDir: string) => join(dataDir, 'demo.json')

/** Reads what an earlier start of the demo left in `dataDir`; undefined before the first. Throws where it is damaged. */
export async function readKeepsake(dataDir: string): Promise<Keepsake | undefined> {
  try {
    return Keepsake.parse(JSON.parse(await readFile(fileOf(dataDir), 'utf8')))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new Error(`${fileOf(dataDir)} is damaged: remove it, and the demo makes new secrets.`, { cause: error })
  }
}

/** Readable by us alone; whole or not at all. */
export async function writeKeepsake(dataDir: string, keepsake: Keepsake): Promise<void> {
  await makeFolder(dataDir, 0o711)
  const unfinished = `${fileOf(dataDir)}.new`
  await writeFile(unfinished, JSON.stringify(keepsake, null, 2), { mode: 0o600 })
  await chmod(unfinished, 0o600)
  await rename(unfinished, fileOf(dataDir))
}
