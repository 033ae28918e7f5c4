import { parseArgs } from 'node:util'
import { readIdentities } from '../platform/backup/identity-file.ts'
import { openStore } from '../platform/backup/open-store.ts'
import { RefusedError } from '../platform/backup/refused.ts'
import { placeFrom } from '../platform/config/backup.ts'
import type { Config } from '../platform/config/config.ts'
import type { Manifest } from './backup/manifest.ts'
import { findInstant } from './backup/point-in-time.ts'
import { checkBackup, restoreBackup, restoreInto } from './backup/restore-backup.ts'
import { inWords } from './backup/room.ts'
import { instantOf } from './backup/stored.ts'
import type { Command } from './command.ts'

const usage = `Brings an installation back from a backup, while no server runs on DATA_DIR.

  restore FILE [--replace]     into an empty DATA_DIR; every file is verified first, and PostgreSQL is tried out
  restore --check FILE         only reads and verifies it, beside a running server too

  restore --to INSTANT --identity FILE [--from PLACE]   as it was at 2026-11-27T10:15:00Z, or "latest"

  --from PLACE     a folder, or s3://BUCKET/PREFIX with BACKUP_S3_ENDPOINT, BACKUP_S3_ACCESS_KEY ... set; else that of the configuration

  --replace        moves what is in DATA_DIR into DATA_DIR/before-restore-...; nothing is deleted
  --keys KEYFILE   the file that "backup --keys" wrote; not needed where FILE or the replaced DATA_DIR has the keys
  --new-keys       where the keys are lost: makes new ones. Links in mails end, and the audit trail shows the break

Run it as the user who runs the server. Restore only backups you trust: they say what the server does.`

const options = {
  replace: { type: 'boolean', default: false },
  check: { type: 'boolean', default: false },
  keys: { type: 'string' },
  'new-keys': { type: 'boolean', default: false },
  to: { type: 'string' },
  from: { type: 'string' },
  identity: { type: 'string' },
  help: { type: 'boolean', default: false },
} as const

/** Restores a backup, or says what is wrong with it. */
export const restoreCommand: Command = async (config, args) => {
  const { dataDir, databaseUrl } = config
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
  const [file, ...more] = positionals
  if (
    (values.to ? file !== undefined || !values.identity || values.check : !file || values.identity || values.from) ||
    more.length > 0 ||
    values.help ||
    (values.check && values.replace) ||
    (values.keys && values['new-keys'])
  ) {
    console[values.help ? 'log' : 'error'](usage)
    return values.help ? 0 : 2
  }
  if (values.check && file) {
    console.log(`${file} is whole: ${describe(await checkBackup(file))}`)
    return 0
  }
  const now = new Date()
  const request = {
    dataDir,
    embedded: !databaseUrl,
    replace: values.replace,
    keysFile: values.keys,
    newKeys: values['new-keys'],
    now,
  }
  const { manifest, aside } = file
    ? await restoreBackup({ ...request, file })
    : await restoreInto(request, await instant(config, values))
  console.log(`Restored into ${dataDir}: ${describe(manifest)}`)
  if (aside) console.log(`What was there is in ${aside}: delete it when you are content.`)
  console.log('Start the server. What happened after the backup is not in it; keep a note of this restore.')
  console.log('No card is charged by itself until you say: npm run provider -- billing resume')
  return 0
}

/** Finds the instant that is to be restored, in the backup that a server keeps all the time. */
async function instant(
  config: Config,
  { to = '', from, identity = '' }: { to?: string; from?: string; identity?: string },
) {
  const place = placeFrom(config, from)
  if (!place) throw new RefusedError('Say where the backup is: --from FOLDER, or --from s3://BUCKET/PREFIX.')
  const store = openStore(place)
  const target = to === 'latest' ? null : instantOf(to)
  const identities = await readIdentities(identity)
  return () => findInstant({ store, identities }, target)
}

function describe({ version, createdAt, platform, database, files }: Manifest): string {
  const bytes = files.reduce((sum, each) => sum + each.bytes, 0)
  const of = database
    ? `PostgreSQL ${database.postgres}, schema ${database.migrations.at(-1)?.name ?? 'empty'}`
    : 'no database'
  return `${files.length} files (${inWords(bytes)}) of ${createdAt}, Isotherm ${version} on ${platform}, ${of}.`
}
