import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { RefusedError } from '../platform/backup/refused.ts'
import type { Config } from '../platform/config/config.ts'
import { startEmbedded } from '../platform/db/embedded/supervisor.ts'
import { createLog } from '../platform/log/log.ts'
import { writeKeys } from './backup/keys.ts'
import { type BackupOptions, makeBackup } from './backup/make-backup.ts'
import { inWords } from './backup/room.ts'
import { storedCommands } from './backup/stored.ts'
import type { Command } from './command.ts'

const usage = `Writes one backup of everything, beside a running server or without one.

  backup FILE [--force]          the database and the files of DATA_DIR; .tar.zst by zstd, .tar.gz by gzip, .tar as it is
  backup FOLDER                  the same, named by the time: isotherm-20261121T031500Z.tar.zst
  backup FILE --files            the files of DATA_DIR alone, for an installation with DATABASE_URL

  --keys KEYFILE   writes the installation's keys into a file of their own (0600), which a restore elsewhere needs: keep it apart
  --with-keys      puts the keys into FILE: who gets hold of it can reset any password and sign any audit trail
  --force          replaces FILE and KEYFILE, once the new ones are whole

The backup that a server with BACKUP_DIR or BACKUP_S3_BUCKET keeps all the time, encrypted to BACKUP_RECIPIENTS (restore --to INSTANT):

  backup keys [--installation ID]   makes an identity and prints it once: keep it off this machine
  backup base                       a base backup now; the server makes one every week
  backup receive                    receives the log beside a server that runs without a backup
  backup drill --identity FILE [--from PLACE] [--to INSTANT] [--scratch FOLDER]   proves a restore, and leaves a record
  backup drills [--from PLACE] [--identity FILE]   lists the records, and whether the installation signed them

For a PostgreSQL of one's own, which another program backs up and restores:

  backup public-keys                prints the public halves of the signing keys
  backup judge --keys FILE          judges the audit trails and signatures of the restored database, DATABASE_URL

PLACE is a folder, or s3://BUCKET/PREFIX, which is reached as BACKUP_S3_ENDPOINT, BACKUP_S3_ACCESS_KEY ... say.

It holds personal data: readable by you alone (0600). "restore --check FILE" reads and verifies it.`

const options = {
  force: { type: 'boolean', default: false },
  files: { type: 'boolean', default: false },
  keys: { type: 'string' },
  'with-keys': { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const

/** Makes a backup; a signal to stop ends it and leaves nothing behind. */
export const backupCommand: Command = async (config, args) => {
  const [first = '', ...rest] = args
  const stored = Object.hasOwn(storedCommands, first) ? storedCommands[first] : undefined
  if (stored) return stored(config, rest)
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
  const [to, ...more] = positionals
  if (!to || more.length > 0 || values.help || (values.keys && values['with-keys'])) {
    console[values.help ? 'log' : 'error'](usage)
    return values.help ? 0 : 2
  }
  const stop = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, () => stop.abort())
  const database = await openCluster(config, values.files)
  try {
    const { dataDir } = config
    const withKeys = values['with-keys']
    const request = { dataDir, to, force: values.force, withKeys, now: new Date(), onProgress, signal: stop.signal }
    if (values.keys) await writeKeys(dataDir, values.keys, values.force)
    const began = Date.now()
    const { file, manifest, bytes, packedBytes } = await makeBackup({ ...request, database })
    const seconds = Math.ceil((Date.now() - began) / 1000)
    const size = `${inWords(packedBytes)}, of ${inWords(bytes)}`
    console.log(`${file}: ${manifest.files.length} files, ${size}, in ${seconds} s`)
    if (config.fileStore)
      console.log(`The objects of the bucket ${config.fileStore.bucket} are not in it: turn its versioning on.`)
    if (values.keys) console.log(`The keys are in ${values.keys}: keep them apart from the backup.`)
    else if (!withKeys) console.log(keysLeftOut)
    return 0
  } catch (error) {
    if (stop.signal.aborted) throw new RefusedError('Stopped: no backup was made.')
    throw error
  } finally {
    await database?.stop()
  }
}

const keysLeftOut =
  'The keys of the installation are not in it. A restore on another machine needs them: write them once, and after each new ' +
  'key, with "--keys KEYFILE", and keep that file apart.'

const onProgress: BackupOptions['onProgress'] = (done, expected) =>
  console.error(`${inWords(done)} of about ${inWords(Math.max(done, expected))}`)

/** The running server's PostgreSQL, or one started for the backup; null where only files are wanted. */
async function openCluster(config: Config, filesOnly: boolean) {
  if (config.databaseUrl) {
    if (filesOnly) return null
    throw new RefusedError(
      'DATABASE_URL is set: back that PostgreSQL up with its own pg_basebackup or pg_dump, and the files of DATA_DIR ' +
        '(keys, reports, attachments) with "backup FILE --files". See docs/operations.md, "Backup and restore".',
    )
  }
  if (filesOnly)
    throw new RefusedError('--files is for an installation with DATABASE_URL: without it, all is backed up.')
  if (!existsSync(join(config.dataDir, 'postgres/cluster'))) {
    throw new RefusedError(`There is nothing to back up in ${config.dataDir}: DATA_DIR is that of the server?`)
  }
  const log = createLog(config.logLevel === 'info' ? 'warn' : config.logLevel)
  const { url, backupUrl, stop } = await startEmbedded({ dataDir: config.dataDir, log, share: true })
  if (backupUrl) return { url, backupUrl, stop }
  await stop()
  throw new RefusedError('The running server was started by a version that knew no backups: restart it, and try again.')
}
