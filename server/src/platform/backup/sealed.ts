import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { ReadableStream as WebStream } from 'node:stream/web'
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib'
import { Decrypter, Encrypter } from 'age-encryption'
import { z } from 'zod'
import { isSignedBy, type PublicKey, type SigningKeys, vouchedFor } from '../config/signing-keys.ts'
import type { Identities } from './identity-file.ts'
import { RefusedError } from './refused.ts'

/**
 * An object of a backup as it is stored (docs/adr/0066): age encryption of a line of JSON, the content packed by zstd, and 64 bytes of an
 * Ed25519 signature over the SHA-256 of all that. The line holds the object's own name: another's content does not pass for it.
 */
const FORMAT = 'isotherm-backup-2'
const SIGNATURE_BYTES = 64
const LARGEST_LINE = 2 ** 20

const Line = z.looseObject({
  format: z.string(),
  name: z.string(),
  keyId: z.string(),
  keys: z.array(
    z.object({
      id: z.string(),
      publicKey: z.string(),
      from: z.string(),
      signedBy: z.string().nullable(),
      signature: z.string().nullable(),
    }),
  ),
  about: z.record(z.string(), z.unknown()),
})

/** The maker of objects: who may read them, and in whose name they are signed. */
export interface Sealer {
  recipients: string[]
  keys: SigningKeys
}

export interface Opened {
  about: Record<string, unknown>
  /** The first key of the installation that made it. */
  installation: string
  /** To be trusted only once it was read to its end. */
  content: AsyncIterable<Buffer>
}

const signedText = (hash: Buffer) => `${FORMAT}\n${hash.toString('hex')}`

/** The bytes of an object to store. */
export async function* seal(
  name: string,
  about: Record<string, unknown>,
  content: AsyncIterable<Uint8Array>,
  { recipients, keys }: Sealer,
): AsyncGenerator<Uint8Array> {
  const encrypter = new Encrypter()
  for (const recipient of recipients) encrypter.addRecipient(recipient)
  async function* plain(): AsyncGenerator<Uint8Array> {
    const hash = createHash('sha256')
    const line = Buffer.from(`${JSON.stringify({ format: FORMAT, name, keyId: keys.id, keys: keys.known, about })}\n`)
    hash.update(line)
    yield line
    for await (const chunk of packed(content)) {
      hash.update(chunk)
      yield chunk
    }
    yield keys.sign(signedText(hash.digest()))
  }
  yield* (await encrypter.encrypt(
    WebStream.from(plain()) as unknown as ReadableStream<Uint8Array>,
  )) as unknown as AsyncIterable<Uint8Array>
}

function packed(content: AsyncIterable<Uint8Array>): AsyncIterable<Buffer> {
  const packing = createZstdCompress({ params: { [constants.ZSTD_c_checksumFlag]: 1 } })
  return through(content, packing)
}

/** The output of a transform; errors of its input end it. */
function through(
  content: AsyncIterable<Uint8Array>,
  transform: NodeJS.ReadWriteStream & Readable,
): AsyncIterable<Buffer> {
  const source = Readable.from(content, { objectMode: false })
  source.on('error', (error) => transform.destroy(error))
  transform.on('close', () => source.destroy())
  // A reader hears of its error, also one who begins later; nobody may be there yet.
  transform.on('error', () => {})
  source.pipe(transform)
  return transform
}

/** Opens a stored object. Throws RefusedError where it is damaged, is another one, is of another installation, or was made for another identity. */
export async function open(name: string, stored: Readable, identities: Identities): Promise<Opened> {
  const decrypter = new Decrypter()
  for (const secret of identities.secrets) decrypter.addIdentity(secret)
  try {
    // Not Readable.toWeb: it throws outside of every catch where the decrypter ends it while bytes are on their way.
    const clear = await decrypter.decrypt(WebStream.from(stored) as unknown as ReadableStream<Uint8Array>)
    const chunks = refusing(name, clear as unknown as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]()
    const { line, rest } = await firstLine(chunks)
    const { about, keys, keyId } = parse(name, line)
    const key = trusted(name, keys, keyId, identities)
    const signed = signedContent(name, chunks, rest, { key, line })
    const unpacked = through(signed, createZstdDecompress())
    return { about, installation: keys[0]?.id ?? '', content: refusing(name, unpacked) }
  } catch (error) {
    stored.destroy()
    throw refused(name, error)
  }
}

async function* refusing(name: string, content: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of content) yield Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
  } catch (error) {
    throw refused(name, error)
  }
}

function refused(name: string, error: unknown): Error {
  if (error instanceof RefusedError) return error
  const { message, code = '' } = error as NodeJS.ErrnoException
  if (/no identity matched/.test(message))
    return new RefusedError(`${name} was made for another identity: the file given does not open it.`)
  if (code.startsWith('E') && !code.startsWith('ERR_')) return error as Error
  return new RefusedError(`${name} is damaged or cut off (${message}).`)
}

async function firstLine(chunks: AsyncIterator<Buffer>): Promise<{ line: Buffer; rest: Buffer }> {
  let seen = Buffer.alloc(0)
  for (;;) {
    const end = seen.indexOf(10) + 1
    if (end > 0) return { line: seen.subarray(0, end), rest: seen.subarray(end) }
    const { value, done } = await chunks.next()
    if (done || seen.length > LARGEST_LINE) throw new Error('it has no first line')
    seen = Buffer.concat([seen, value])
  }
}

function parse(name: string, line: Buffer): z.infer<typeof Line> {
  const read = Line.parse(JSON.parse(line.toString()))
  if (read.format !== FORMAT)
    throw new RefusedError(`${name} has format ${read.format}, this version knows ${FORMAT}: use another version.`)
  if (read.name !== name) throw new RefusedError(`${name} is another object of a backup: ${read.name}.`)
  return read
}

/** The key that signed, once an identity's installation vouches for it. */
function trusted(name: string, keys: PublicKey[], keyId: string, { installations }: Identities): PublicKey {
  const anchors = installations.length > 0 ? installations : keys.slice(0, 1).map(({ id }) => id)
  for (const anchor of anchors) {
    const key = vouchedFor(keys, anchor).find(({ id }) => id === keyId)
    if (key) return key
  }
  throw new RefusedError(
    `${name} is of another installation (${keys[0]?.id ?? 'none'}), not of ${installations.join(', ')}, which the identity file names.`,
  )
}

async function* signedContent(
  name: string,
  chunks: AsyncIterator<Buffer>,
  rest: Buffer,
  { key, line }: { key: PublicKey; line: Buffer },
): AsyncGenerator<Buffer> {
  const hash = createHash('sha256').update(line)
  let held = rest
  for (;;) {
    const cut = held.length - SIGNATURE_BYTES
    if (cut > 0) {
      hash.update(held.subarray(0, cut))
      yield held.subarray(0, cut)
      held = held.subarray(cut)
    }
    const { value, done } = await chunks.next()
    if (done) break
    held = Buffer.concat([held, value])
  }
  if (!isSignedBy(key, signedText(hash.digest()), held))
    throw new RefusedError(`${name} is not signed by its installation.`)
}
