import { existsSync } from 'node:fs'
import { mkdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { keepBackups } from '../../keep-backups.ts'
import type { BackupStore } from '../../platform/backup/backup-store.ts'
import { type Drill, drillKeys, listDrills } from '../../platform/backup/drills.ts'
import { newIdentity, readIdentities } from '../../platform/backup/identity-file.ts'
import { openStore } from '../../platform/backup/open-store.ts'
import { RefusedError } from '../../platform/backup/refused.ts'
import { placeFrom } from '../../platform/config/backup.ts'
import type { Config } from '../../platform/config/config.ts'
import { type PublicKey, signingKeys } from '../../platform/config/signing-keys.ts'
import { startEmbedded } from '../../platform/db/embedded/supervisor.ts'
import { createPool } from '../../platform/db/pool.ts'
import { createLog } from '../../platform/log/log.ts'
import type { Command } from '../command.ts'
import { operator } from '../provider/desk.ts'
import { makeBase } from './base.ts'
import { drill } from './drill.ts'
import { type Checks, judge } from './judge.ts'
import { publicKeys } from './keys.ts'
import { inWords } from './room.ts'

/** Commands of the backup that is kept all the time. */
export const storedCommands: Record<string, Command> = {
  ...{ keys, base, receive, drill: drillCommand, drills },
  ...{ 'public-keys': printPublicKeys, judge: judgeCommand },
}

/** Makes an identity and prints it once; it is written nowhere. */
async function keys({ dataDir }: Config, args: string[]): Promise<number> {
  const { values } = parseArgs({ args, options: { installation: { type: 'string' } } })
  if (values.installation === undefined && !existsSync(join(dataDir, 'audit-keys.json')))
    throw new RefusedError(
      `There are no keys in ${dataDir}: set DATA_DIR as the server has it, or name the installation (--installation ID).`,
    )
  const installation = values.installation ?? (await signingKeys(dataDir)).known[0]?.id ?? ''
  if (!/^[0-9a-f]{16}$/.test(installation)) throw new RefusedError('--installation is the id of the first signing key.')
  const { text, recipient } = await newIdentity(installation)
  console.log(text)
  console.error(
    `Keep these lines in a file on another machine, and on paper: without them nobody restores, with them anybody reads all.\n` +
      `They are written nowhere here. On this server: BACKUP_RECIPIENTS=${recipient}`,
  )
  return 0
}

async function base(config: Config): Promise<number> {
  const { store, recipients } = await storeOf(config)
  const database = await running(config)
  try {
    const sealer = { recipients, keys: await signingKeys(config.dataDir) }
    const { archive, bytes } = await makeBase({ dataDir: config.dataDir, database, store, sealer })
    console.log(`${archive}: ${inWords(bytes)}`)
    return 0
  } finally {
    await database.stop()
  }
}

/** Receives beside a server that does not, until it is told to stop. */
async function receive(config: Config): Promise<number> {
  await storeOf(config)
  const database = await running(config)
  const keeping = await keepBackups(config, database, createLog(config.logLevel))
  await new Promise((done) => {
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, done)
  })
  await keeping?.stop()
  await database.stop()
  return 0
}

async function drillCommand(config: Config, args: string[]): Promise<number> {
  const options = {
    identity: { type: 'string' },
    from: { type: 'string' },
    to: { type: 'string' },
    scratch: { type: 'string' },
  } as const
  const { values } = parseArgs({ args, options })
  const place = placeFrom(config, values.from)
  if (!values.identity || !place)
    throw new RefusedError('backup drill --identity FILE [--from PLACE] [--to INSTANT] [--scratch FOLDER]')
  const vault = { store: openStore(place), identities: await readIdentities(values.identity) }
  const scratch = values.scratch ?? join(tmpdir(), 'isotherm-drill')
  await mkdir(scratch, { recursive: true })
  const to = values.to ? instantOf(values.to) : undefined
  const { record, name, isProven } = await drill({ vault, scratch, operator: operator(), to })
  console.log(JSON.stringify(record, null, 1))
  console.log(inRestores(record))
  console.log(
    isProven
      ? 'The server signs the record within a minute, and notes it in "provider log list".'
      : 'The base is of an earlier version: the server cannot sign the record. Try again after "backup base".',
  )
  console.log(record.faults.length === 0 ? `The restore is proven: ${name}` : `The drill found faults: ${name}`)
  return record.faults.length === 0 ? 0 : 1
}

/** Prints the public halves of the signing keys, by which another machine judges a restored database. */
async function printPublicKeys({ dataDir }: Config): Promise<number> {
  const keys = await publicKeys(dataDir)
  if (!keys) throw new RefusedError(`There are no keys in ${dataDir} yet: the first start of the server makes them.`)
  process.stdout.write(keys)
  return 0
}

/** Judges a database that another program restored. */
async function judgeCommand({ databaseUrl }: Config, args: string[]): Promise<number> {
  const { values } = parseArgs({ args, options: { keys: { type: 'string' } } })
  if (!values.keys || !databaseUrl)
    throw new RefusedError('DATABASE_URL=... backup judge --keys FILE, which "backup public-keys" printed.')
  const { keys } = JSON.parse(await readFile(values.keys, 'utf8')) as { keys: PublicKey[] }
  const checks: Checks = { checked: {}, faults: [] }
  const pool = createPool(databaseUrl, 2, () => {})
  try {
    const companies = await judge(pool, { known: keys }, checks)
    if (companies.length === 0) checks.faults.push('There is no audit trail: this is no database of Isotherm.')
  } finally {
    await pool.end()
  }
  console.log(JSON.stringify(checks))
  return checks.faults.length === 0 ? 0 : 1
}

/** The time of a drill, which should be less than that of two restores. */
const inRestores = ({ seconds, timesRestore }: Drill) =>
  `The restore took ${seconds.restore} s and the checks ${seconds.checks} s: the drill took ${timesRestore} times a restore` +
  (timesRestore < 2 ? '.' : ', which is twice or more.')

/** Lists the records of drills, and whether the installation signed them. */
async function drills(config: Config, args: string[]): Promise<number> {
  const { values } = parseArgs({ args, options: { identity: { type: 'string' }, from: { type: 'string' } } })
  const place = placeFrom(config, values.from)
  if (!place) throw new RefusedError('backup drills [--from PLACE] [--identity FILE]')
  const store = openStore(place)
  const listed = await listDrills(store, await keysOf(config, store, values.identity))
  if (listed.length === 0) console.log(`There is no record of a drill in ${store.place}.`)
  for (const { name, drill, state, keyId } of listed) {
    console.log(
      `${name}: ${drill ? described(drill) : 'no record of a drill'}, ${stateWords[state]} ${keyId ?? ''}`.trim(),
    )
    for (const fault of drill?.faults ?? []) console.log(`  ${fault}`)
  }
  return listed.some(({ state }) => state === 'unlike') ? 1 : 0
}

const stateWords = {
  signed: 'signed by',
  left: 'not signed yet',
  unlike: 'NOT AS THE INSTALLATION SIGNED IT:',
}

const described = (drill: Drill) =>
  `${drill.faults.length === 0 ? 'proven' : `${drill.faults.length} faults`}, to ${drill.restoredTo} by ${drill.operator}, ` +
  `restore ${drill.seconds.restore} s, checks ${drill.seconds.checks} s (${drill.timesRestore} times a restore), ` +
  Object.entries(drill.checked)
    .map(([what, count]) => `${count} ${what}`)
    .join(', ')

/** Keys that signatures are judged by: those of DATA_DIR, or those that the installation of an identity vouches for. */
async function keysOf({ dataDir }: Config, store: BackupStore, identity: string | undefined) {
  if (identity) return drillKeys(store, (await readIdentities(identity)).installations)
  if (!(await publicKeys(dataDir)))
    throw new RefusedError(`There are no keys in ${dataDir}: give the identity file, which names the installation.`)
  return (await signingKeys(dataDir)).known
}

/** An instant as an operator writes it; it must say its zone. */
export function instantOf(text: string): Date {
  const at = new Date(text)
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/.test(text) || Number.isNaN(at.getTime()))
    throw new RefusedError(`${text} is no instant such as 2026-11-27T10:15:00Z.`)
  return at
}

async function storeOf({ backup }: Config) {
  if (!backup) throw new RefusedError('BACKUP_DIR or BACKUP_S3_BUCKET, and BACKUP_RECIPIENTS, must be set.')
  const { place, recipients } = backup
  if (typeof place === 'string') await mkdir(place, { recursive: true, mode: 0o700 })
  return { store: openStore(place), recipients }
}

async function running({ dataDir, logLevel }: Config) {
  const { url, backupUrl, stop } = await startEmbedded({ dataDir, log: createLog(logLevel), share: true })
  if (backupUrl) return { url, backupUrl, stop }
  await stop()
  throw new RefusedError('The running server was started by a version that knew no backups: restart it, and try again.')
}
