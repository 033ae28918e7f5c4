import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
  verify,
} from 'node:crypto'
import { chown, link, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { StartRefused } from '../errors/start-refused.ts'
import { makeFolder } from '../files/make-folder.ts'

const File = z.object({
  keys: z
    .array(
      z.object({
        id: z.string(),
        publicKey: z.string(),
        from: z.string(),
        signedBy: z.string().nullable(),
        signature: z.string().nullable(),
      }),
    )
    .min(1),
  secret: z.string(),
})

/**
 * One of this installation's Ed25519 keys as others may know it: `publicKey` is its 32 bytes in base64url, `id` the first 16
 * hexadecimal digits of their SHA-256. All but the first are vouched for by the key before: `signedBy`, `signature`.
 */
export type PublicKey = z.infer<typeof File>['keys'][number]

/** The key that signs checkpoints now, and every former one: oldest first. */
export interface SigningKeys {
  id: string
  sign(text: string): Buffer
  known: PublicKey[]
}

const fileOf = (dataDir: string) => join(dataDir, 'audit-keys.json')

/**
 * The installation's signing keys, made at the first start and kept in `dataDir`, readable by us alone: who owns the database
 * cannot sign. Two first starts at once agree on one. Throws when the file is not what we wrote.
 */
export async function signingKeys(dataDir: string): Promise<SigningKeys> {
  const file = fileOf(dataDir)
  const text = (await read(file)) ?? (await create(dataDir))
  try {
    const { keys, secret } = File.parse(JSON.parse(text))
    const key = privateKey(secret)
    const newest = keys.at(-1)
    if (!newest || newest.publicKey !== rawPublic(key)) throw new Error('the keys do not belong together')
    return { id: newest.id, known: keys, sign: (words) => sign(null, Buffer.from(words), key) }
  } catch (error) {
    throw new StartRefused(`${file} is damaged (${(error as Error).message}): restore it.`)
  }
}

/** A new key from now on; the one before vouches for it and its secret half is forgotten. Returns the new key's id. */
export async function rotateSigningKey(dataDir: string, now: Date): Promise<string> {
  const keys = await signingKeys(dataDir)
  const fresh = generate()
  const about = { id: fresh.id, publicKey: fresh.publicKey, from: now.toISOString(), signedBy: keys.id }
  const entry: PublicKey = { ...about, signature: keys.sign(successionText(about)).toString('base64url') }
  const unfinished = await write(dataDir, { keys: [...keys.known, entry], secret: fresh.secret })
  // The server must be able to read the key, also when another account (root perhaps) rotates it.
  const { uid, gid } = await stat(fileOf(dataDir))
  await chown(unfinished, uid, gid)
  await rename(unfinished, fileOf(dataDir))
  return entry.id
}

/**
 * The content of a new file of keys where only the public halves of those before are left: these are still trusted, and nobody
 * vouches for the new one. Throws where `before` are no such keys.
 */
export function successorOf(before: unknown[], now: Date): string {
  const fresh = generate()
  const entry = { id: fresh.id, publicKey: fresh.publicKey, from: now.toISOString(), signedBy: null, signature: null }
  return `${JSON.stringify(File.parse({ keys: [...before, entry], secret: fresh.secret }), null, 1)}\n`
}

/** The text that a key signs to vouch for the next one. */
const successionText = ({ id, publicKey, from, signedBy }: Omit<PublicKey, 'signature'>) =>
  ['isotherm-audit-key-v1', id, publicKey, from, signedBy ?? ''].join('\n')

/** The keys that one of them vouches for, itself first: the next by its signature, and so on. Empty where it is not among them. */
export function vouchedFor(keys: readonly PublicKey[], anchor: string): PublicKey[] {
  const first = keys.find((key) => key.id === anchor && idOf(key.publicKey) === anchor)
  const vouched = first ? [first] : []
  for (let last = first; last; ) {
    const { id, publicKey } = last
    const next = keys.find((key) => key.signedBy === id && idOf(key.publicKey) === key.id && !vouched.includes(key))
    const isTrue =
      next && isSignedBy({ publicKey }, successionText(next), Buffer.from(next.signature ?? '', 'base64url'))
    if (isTrue) vouched.push(next)
    last = isTrue ? next : undefined
  }
  return vouched
}

const idOf = (publicKey: string): string =>
  createHash('sha256').update(Buffer.from(publicKey, 'base64url')).digest('hex').slice(0, 16)

const publicKeys = new WeakMap<Pick<PublicKey, 'publicKey'>, KeyObject>()

/** Whether `signature` over `text` was made with the secret half of a key. Takes a tenth of a millisecond: many are for turns. */
export function isSignedBy(key: Pick<PublicKey, 'publicKey'>, text: string, signature: Buffer): boolean {
  const known = publicKeys.get(key)
  const object = known ?? createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: key.publicKey }, format: 'jwk' })
  if (!known) publicKeys.set(key, object)
  return verify(null, Buffer.from(text), object, signature)
}

function generate() {
  const { privateKey: key } = generateKeyPairSync('ed25519')
  const publicKey = rawPublic(key)
  return { id: idOf(publicKey), publicKey, secret: key.export({ type: 'pkcs8', format: 'der' }).toString('base64url') }
}

const privateKey = (secret: string) =>
  createPrivateKey({ key: Buffer.from(secret, 'base64url'), type: 'pkcs8', format: 'der' })
const rawPublic = (key: KeyObject): string => createPublicKey(key).export({ format: 'jwk' }).x ?? ''

async function create(dataDir: string): Promise<string> {
  const { id, publicKey, secret } = generate()
  const first: PublicKey = { id, publicKey, from: new Date().toISOString(), signedBy: null, signature: null }
  await makeFolder(dataDir, 0o711)
  const unfinished = await write(dataDir, { keys: [first], secret })
  // link() fails where the name exists, so whoever comes second takes the first one's keys.
  await link(unfinished, fileOf(dataDir)).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  await rm(unfinished)
  return readFile(fileOf(dataDir), 'utf8')
}

async function write(dataDir: string, content: z.infer<typeof File>): Promise<string> {
  const unfinished = `${fileOf(dataDir)}.${randomBytes(6).toString('hex')}`
  await writeFile(unfinished, `${JSON.stringify(content, null, 1)}\n`, { mode: 0o600 })
  return unfinished
}

const read = (file: string) =>
  readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    return null
  })
