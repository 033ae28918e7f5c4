import { randomBytes } from 'node:crypto'
import { chmod, link, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { StartRefused } from '../errors/start-refused.ts'
import { makeFolder } from '../files/make-folder.ts'

const BYTES = 32

/**
 * The installation's secret (32 bytes), made at the first start and kept in `dataDir`, readable by us alone. Two first
 * starts at once agree on one. Throws when the file is not what we wrote: a new secret would void every mail link.
 */
export async function installationSecret(dataDir: string): Promise<Buffer> {
  const file = join(dataDir, 'secret.key')
  await makeFolder(dataDir, 0o711)
  const secret = (await read(file)) ?? (await create(file))
  if (secret.length !== BYTES)
    throw new StartRefused(`${file} is damaged (${secret.length} bytes, not ${BYTES}): restore it.`)
  await chmod(file, 0o600)
  return secret
}

async function create(file: string): Promise<Buffer> {
  const unfinished = `${file}.${randomBytes(6).toString('hex')}`
  await writeFile(unfinished, randomBytes(BYTES).toString('base64url'), { mode: 0o600 })
  // link() fails where the name exists, so whoever comes second takes the first one's secret.
  await link(unfinished, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  await rm(unfinished)
  return Buffer.from(await readFile(file, 'utf8'), 'base64url')
}

async function read(file: string): Promise<Buffer | null> {
  try {
    return Buffer.from(await readFile(file, 'utf8'), 'base64url')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}
