import { type SpawnOptions, spawn } from 'node:child_process'
import { chown, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { StartRefused } from '../../errors/start-refused.ts'
import type { Account } from './account.ts'
import type { Binaries } from './binaries.ts'
import { renderSettings, type Settings } from './settings.ts'

/** The role and the database Isotherm uses. The superuser has no way in but single-user mode. */
export const ROLE = 'isotherm'
export const DATABASE = 'isotherm'

/** May copy the whole cluster while it runs, and nothing else: the login of our requests must not be able to. */
export const BACKUP_ROLE = 'isotherm_backup'

/**
 * Makes the cluster: UTF-8, data checksums, code-point order (it stays the same across upgrades, which ICU's and libc's
 * do not: text is ordered for people by the queries). Built beside and renamed, so a killed attempt leaves nothing half.
 */
export async function createCluster(cluster: string, binaries: Binaries, account: Account): Promise<void> {
  const unfinished = join(dirname(cluster), `${basename(cluster)}.unfinished`)
  await rm(unfinished, { recursive: true, force: true })
  await mkdir(unfinished, { mode: 0o700 })
  if (account) await chown(unfinished, account.uid, account.gid)
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
  const options = [
    '--username=postgres',
    '--auth=reject',
    '--data-checksums',
    '--no-instructions',
    '--no-sync',
    ...locale,
  ]
  await run(binaries.initdb, ['-D', unfinished, ...options], account)
  await singleUser(unfinished, binaries, account, [
    `CREATE ROLE ${ROLE} NOSUPERUSER`,
    `CREATE DATABASE ${DATABASE} OWNER ${ROLE}`,
  ])
  await rename(unfinished, cluster)
}

/** Lets both roles log in, with these passwords; `attributes` are further ones of the first. The server must be stopped. */
export async function setLogins(
  cluster: string,
  binaries: Binaries,
  account: Account,
  { password, backupPassword }: { password: string; backupPassword: string },
  attributes = '',
) {
  await singleUser(cluster, binaries, account, [
    `ALTER ROLE ${ROLE} LOGIN CREATEROLE ${attributes} PASSWORD '${password}'`,
    // A cluster that an earlier version made has no such role yet.
    `DO $$ BEGIN IF to_regrole('${BACKUP_ROLE}') IS NULL THEN CREATE ROLE ${BACKUP_ROLE}; END IF; END $$`,
    `ALTER ROLE ${BACKUP_ROLE} LOGIN REPLICATION PASSWORD '${backupPassword}'`,
  ])
}

/** Writes postgresql.conf and pg_hba.conf; true when that changed them, so a running server has others. */
export async function writeSettings(cluster: string, account: Account, settings: Settings): Promise<boolean> {
  const hba = [
    `local all ${ROLE} scram-sha-256`,
    `host all ${ROLE} 127.0.0.1/32 scram-sha-256`,
    `host replication ${BACKUP_ROLE} 127.0.0.1/32 scram-sha-256`,
    '',
  ].join('\n')
  const changed = [
    await writeIfChanged(join(cluster, 'postgresql.conf'), renderSettings(settings), account),
    await writeIfChanged(join(cluster, 'pg_hba.conf'), hba, account),
  ]
  return changed.includes(true)
}

/** Refuses data of another major version: PostgreSQL would too, but says less. */
export async function checkVersion(cluster: string, binaries: Binaries): Promise<void> {
  const written = (await readFile(join(cluster, 'PG_VERSION'), 'utf8')).trim()
  const major = binaries.version.split('.')[0]
  if (written === major) return
  throw new StartRefused(
    `${cluster} was written by PostgreSQL ${written}, this is ${major}: see docs/operations.md, "Upgrades".`,
  )
}

async function writeIfChanged(file: string, text: string, account: Account): Promise<boolean> {
  if ((await readFile(file, 'utf8').catch(() => null)) === text) return false
  await writeFile(`${file}.new`, text, { mode: 0o600 })
  if (account) await chown(`${file}.new`, account.uid, account.gid)
  await rename(`${file}.new`, file)
  return true
}

/** Statements as superuser without a listening server. Each ends with an empty line, as `-j` wants it. */
function singleUser(cluster: string, binaries: Binaries, account: Account, statements: string[]): Promise<void> {
  const input = statements.map((statement) => `${statement};\n\n`).join('')
  const quiet = ['-c', 'logging_collector=off', '-c', 'exit_on_error=on', '-c', 'log_checkpoints=off']
  return run(binaries.postgres, ['--single', '-j', '-D', cluster, ...quiet, 'postgres'], account, input)
}

/** The spawn options of every PostgreSQL process: its account, no inherited environment, a folder it may enter. */
export function spawnOptions(account: Account): SpawnOptions {
  return { cwd: '/', env: { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }, ...(account ?? {}) }
}

function run(program: string, args: string[], account: Account, input = ''): Promise<void> {
  return new Promise((done, failed) => {
    const child = spawn(program, args, spawnOptions(account))
    let output = ''
    const collect = (chunk: Buffer) => {
      output = (output + chunk).slice(-4000)
    }
    child.stdout?.on('data', collect)
    child.stderr?.on('data', collect)
    child.stdin?.on('error', () => {})
    child.stdin?.end(input)
    child.on('error', failed)
    child.on('close', (code) =>
      code === 0 ? done() : failed(new Error(`${basename(program)} failed (${code}): ${output}`)),
    )
  })
}
