import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrations } from '../../server/src/platform/db/migrate.ts'

const root = new URL('../../', import.meta.url).pathname

/** It asks other nodes for files of pages, and goes on with a database that is ahead by compatible migrations. `OLD_VERSION` names another. */
const commit = process.env.OLD_VERSION ?? 'e25e71e5'

export interface OldVersion {
  main: string
  migrate(databaseUrl: string): Promise<void>
  remove(): Promise<void>
}

/** Why the old version cannot run beside this one, or null. */
export async function faultOfOldVersion(): Promise<string | null> {
  const { status, stdout } = git('ls-tree', '--name-only', commit, 'server/migrations/')
  if (status !== 0) return `there is no commit ${commit}`
  const before = new Set(stdout.split('\n').map((path) => path.split('/').at(-1)))
  const others = (await migrations()).filter(({ name, isCompatible }) => !before.has(name) && !isCompatible)
  return others.length > 0
    ? `${commit} cannot run with ${others.map(({ name }) => name).join(', ')}; see OLD_VERSION`
    : null
}

/** An older commit's files in a folder, with the packages of this checkout, and its browser app. */
export async function openOldVersion(): Promise<OldVersion> {
  const folder = await mkdtemp(join(process.env.BENCH_DIR ?? tmpdir(), 'isotherm-old-'))
  const packed = spawnSync('git', ['archive', commit], { cwd: root, maxBuffer: 1e9 })
  const { status } = spawnSync('tar', ['-x', '-C', folder], { input: packed.stdout })
  if (packed.status !== 0 || status !== 0) throw new Error(`${commit} cannot be unpacked`)
  const packages = join(folder, 'node_modules')
  await mkdir(join(packages, '@isotherm'), { recursive: true })
  for (const name of await readdir(join(root, 'node_modules')))
    if (name !== '@isotherm') await symlink(join(root, 'node_modules', name), join(packages, name))
  for (const name of await readdir(join(root, 'node_modules/@isotherm')))
    await symlink(join(folder, name), join(packages, '@isotherm', name))
  for (const name of ['server', 'web', 'contract'])
    await symlink(join(root, name, 'node_modules'), join(folder, name, 'node_modules')).catch(() => {})
  const build = "import('./scripts/run/web.mjs').then(({ ensureWeb }) => ensureWeb())"
  const built = spawnSync(process.execPath, ['--eval', build], { cwd: folder, encoding: 'utf8' })
  if (built.status !== 0) throw new Error(`the browser app of ${commit} does not build: ${built.stderr}`)
  const main = join(folder, 'server/src/main.ts')
  return {
    main,
    async migrate(databaseUrl) {
      const env = { ...process.env, DATABASE_URL: databaseUrl, DATA_DIR: join(folder, 'data') }
      const done = spawnSync(process.execPath, [main, 'migrate'], { env, encoding: 'utf8' })
      if (done.status !== 0) throw new Error(`the old version does not migrate: ${done.stderr.slice(-500)}`)
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

const git = (...args: string[]) => spawnSync('git', args, { cwd: root, encoding: 'utf8' })
