import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const saltBytes = 16
const nonceBytes = 12
const tagBytes = 16
const maxKeys = 1_000

/**
 * Encrypts what travels by a server that others may use: nobody without the secret of the nodes can read or forge an event. Each run of a server
 * has a key of its own, made of that secret and a salt that every message begins with, so that a counter serves as nonce.
 */
export class EventSeal {
  readonly #secret: string
  readonly #salt = randomBytes(saltBytes)
  readonly #ours: Buffer
  readonly #theirs = new Map<string, Buffer>()
  #count = 0n

  constructor(secret: string) {
    this.#secret = secret
    this.#ours = this.#keyOf(this.#salt)
  }

  /** A text for a subject; it opens under no other one. */
  seal(subject: string, text: string): Buffer {
    const nonce = Buffer.alloc(nonceBytes)
    nonce.writeBigUInt64BE(++this.#count, nonceBytes - 8)
    const cipher = createCipheriv('aes-256-gcm', this.#ours, nonce).setAAD(Buffer.from(subject))
    return Buffer.concat([this.#salt, nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
  }

  /** The text, and the run of the server that sealed it; null: somebody else's, or damaged. */
  open(subject: string, sealed: Uint8Array): { from: string; text: string } | null {
    const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength)
    if (bytes.length < saltBytes + nonceBytes + tagBytes) return null
    const from = bytes.toString('hex', 0, saltBytes)
    const key = this.#theirs.get(from) ?? this.#keyOf(bytes.subarray(0, saltBytes))
    const [textAt, tagAt] = [saltBytes + nonceBytes, bytes.length - tagBytes]
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(saltBytes, textAt), {
      authTagLength: tagBytes,
    })
      .setAAD(Buffer.from(subject))
      .setAuthTag(bytes.subarray(tagAt))
    try {
      const text = Buffer.concat([decipher.update(bytes.subarray(textAt, tagAt)), decipher.final()]).toString('utf8')
      // Each restart of a server brings a new one.
      if (this.#theirs.size >= maxKeys) this.#theirs.clear()
      this.#theirs.set(from, key)
      return { from, text }
    } catch {
      return null
    }
  }

  #keyOf(salt: Buffer): Buffer {
    return Buffer.from(hkdfSync('sha256', this.#secret, salt, 'isotherm live events', 32))
  }
}
