import { parseArgs } from 'node:util'
import type { Manifest } from './backup/manifest.ts'
import { checkBackup, restoreBackup } from './backup/restore-backup.ts'
import { inWords } from './backup/room.ts'
import type { Command } from './command.ts'

const usage = `Brings an installation back from a backup, while no server runs on DATA_DIR.

  restore FILE [--replace]     into an empty DATA_DIR; every file is verified first, and PostgreSQL is tried out
  restore --check FILE         only reads and verifies it, beside a running server too

  --replace        moves what is in DATA_DIR into DATA_DIR/before-restore-...; nothing is deleted
  --keys KEYFILE   the file that "backup --keys" wrote; not needed where FILE or the replaced DATA_DIR has the keys
  --new-keys       where the keys are lost: makes new ones. Links in mails end, and the audit trail shows the break

Run it as the user who runs the server. Restore only backups you trust: they say what the server does.`

const options = {
  replace: { type: 'boolean', default: false },
  check: { type: 'boolean', default: false },
  keys: { type: 'string' },
  'new-keys': { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const

/** Restores a backup, or says what is wrong with it. */
export const restoreCommand: Command = async ({ dataDir, databaseUrl }, args) => {
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
  const [file, ...more] = positionals
  if (
    !file ||
    more.length > 0 ||
    values.help ||
    (values.check && values.replace) ||
    (values.keys && values['new-keys'])
  ) {
    console[values.help ? 'log' : 'error'](usage)
    return values.help ? 0 : 2
  }
  if (values.check) {
    console.log(`${file} is whole: ${describe(await checkBackup(file))}`)
    return 0
  }
  const now = new Date()
  const request = {
    file,
    dataDir,
    embedded: !databaseUrl,
    replace: values.replace,
    keysFile: values.keys,
    newKeys: values['new-keys'],
    now,
  }
  const { manifest, aside } = await restoreBackup(request)
  console.log(`Restored into ${dataDir}: ${describe(manifest)}`)
  if (aside) console.log(`What was there is in ${aside}: delete it when you are content.`)
  console.log('Start the server. What happened after the backup is not in it; keep a note of this restore.')
  console.log('No card is charged by itself until you say: npm run provider -- billing resume')
  return 0
}

function describe({ version, createdAt, platform, database, files }: Manifest): string {
  const bytes = files.reduce((sum, each) => sum + each.bytes, 0)
  const of = database
    ? `PostgreSQL ${database.postgres}, schema ${database.migrations.at(-1)?.name ?? 'empty'}`
    : 'no database'
  return `${files.length} files (${inWords(bytes)}) of ${createdAt}, Isotherm ${version} on ${platform}, ${of}.`
}
