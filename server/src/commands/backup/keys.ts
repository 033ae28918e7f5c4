import { open, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { RefusedError } from '../../platform/backup/refused.ts'
import { successorOf } from '../../platform/config/signing-keys.ts'
import type { Manifest } from './manifest.ts'

/** The secrets of an installation, in DATA_DIR: what mail links are made with, and what audit trails are signed with. */
export const keyFiles = ['secret.key', 'audit-keys.json'] as const
/** Stands for them in a backup without keys: whoever reads it can verify, not sign. */
export const publicKeysFile = 'audit-public-keys.json'

const Public = z.looseObject({ keys: z.array(z.looseObject({ id: z.string() })) })
const KeyFile = z.strictObject({
  format: z.literal('isotherm-keys-1'),
  'secret.key': z.string().regex(/^[\w-]{43}$/),
  'audit-keys.json': z.strictObject({ keys: z.array(z.looseObject({ id: z.string() })).min(1), secret: z.string() }),
})

/** The public half of the signing keys; undefined where there are none yet. */
export async function publicKeys(dataDir: string): Promise<Buffer | undefined> {
  const text = await readFile(join(dataDir, 'audit-keys.json'), 'utf8').catch(absent)
  if (text === undefined) return undefined
  return Buffer.from(`${JSON.stringify({ keys: Public.parse(JSON.parse(text)).keys }, null, 1)}\n`)
}

/** Writes the keys of an installation into a file of their own, for its maker alone (0600). Replaces none without `force`. */
export async function writeKeys(dataDir: string, file: string, force: boolean): Promise<void> {
  const [secret, audit] = await Promise.all(keyFiles.map((name) => readFile(join(dataDir, name), 'utf8').catch(absent)))
  if (secret === undefined || audit === undefined)
    throw new RefusedError(`There are no keys in ${dataDir} yet: the first start of the server makes them.`)
  const content = { format: 'isotherm-keys-1', 'secret.key': secret, 'audit-keys.json': JSON.parse(audit) }
  const unfinished = `${file}.${process.pid}.unfinished`
  const handle = await open(unfinished, 'wx', 0o600)
  try {
    await handle.writeFile(`${JSON.stringify(content, null, 1)}\n`)
    await handle.sync()
  } finally {
    await handle.close()
  }
  const taken = await open(file, force ? 'a' : 'wx', 0o600).catch(async (error: NodeJS.ErrnoException) => {
    await rm(unfinished, { force: true })
    if (error.code === 'EEXIST') throw new RefusedError(`${file} exists already (--force replaces it).`)
    throw error
  })
  await taken.close()
  await rename(unfinished, file)
}

/** From where a restored installation gets its keys. */
interface KeySource {
  /** A file that `backup --keys` wrote. */
  keysFile?: string | undefined
  /** The DATA_DIR that is replaced, which may have them. */
  replaced?: string | undefined
  /** Make new ones, knowingly. */
  isNew: boolean
}

/** The keys for a restore, as texts by file name; null where the backup holds its own. Throws where there are none. */
export async function keysFor(
  manifest: Pick<Manifest, 'files'>,
  source: KeySource,
): Promise<Record<string, string> | 'new' | null> {
  const holds = (name: string) => manifest.files.some(({ path }) => path === `data/${name}`)
  if (source.keysFile) return readKeys(source.keysFile)
  if (keyFiles.every(holds) || !holds(publicKeysFile)) return null
  const replaced = source.replaced
  if (replaced) {
    const texts = await Promise.all(keyFiles.map((name) => readFile(join(replaced, name), 'utf8').catch(absent)))
    const [secret, audit] = texts
    if (secret !== undefined && audit !== undefined) return { 'secret.key': secret, 'audit-keys.json': audit }
  }
  if (source.isNew) return 'new'
  throw new RefusedError(
    'The backup holds no keys: give the file that "backup --keys" wrote (--keys KEYFILE). Without one, --new-keys makes new ' +
      'ones: links in mails that are on their way end, and the audit trail shows the break.',
  )
}

async function readKeys(file: string): Promise<Record<string, string>> {
  const text = await readFile(file, 'utf8').catch((error: Error) => {
    throw new RefusedError(`${file} cannot be read: ${error.message}`)
  })
  try {
    const keys = KeyFile.parse(JSON.parse(text))
    const audit = `${JSON.stringify(keys['audit-keys.json'], null, 1)}\n`
    return { 'secret.key': keys['secret.key'], 'audit-keys.json': audit }
  } catch {
    throw new RefusedError(`${file} is no file of keys that "backup --keys" wrote, or it is damaged.`)
  }
}

/** Puts the keys into the data folder that is being restored. Throws where they are not those of the backup's installation. */
export async function placeKeys(dir: string, keys: Record<string, string> | 'new' | null, now: Date): Promise<void> {
  const known = await readFile(join(dir, publicKeysFile), 'utf8').catch(absent)
  await rm(join(dir, publicKeysFile), { force: true })
  if (keys === null) return
  const before = known === undefined ? [] : Public.parse(JSON.parse(known)).keys
  const texts = keys === 'new' ? { 'audit-keys.json': successorOf(before, now) } : keys
  if (keys !== 'new') {
    const given = new Set(Public.parse(JSON.parse(keys['audit-keys.json'] ?? '{}')).keys.map(({ id }) => id))
    const missing = before.find(({ id }) => !given.has(id))
    if (missing)
      throw new RefusedError(
        `The keys given lack key ${missing.id} of the backup: they are another installation's, or older than the backup.`,
      )
  }
  for (const [name, text] of Object.entries(texts)) await writeFile(join(dir, name), text, { mode: 0o600 })
}

function absent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}
