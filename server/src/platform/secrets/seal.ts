import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

/** The row and column that a sealed text belongs to: it opens nowhere else. */
export interface SealedPlace {
  /** As in `cards.token_sealed`. */
  column: string
  companyId: number
  id: string
}

const nonceBytes = 12
const tagBytes = 16

/** Each column has a key of its own, made of the installation's secret. */
const keyOf = (secret: Buffer, { column }: SealedPlace): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, '', `sealed ${column}`, 32))

const dataOf = ({ companyId, id }: SealedPlace): Buffer => Buffer.from(`${companyId} ${id}`)

/** Encrypts a text for the database: nonce, text and tag of AES-256-GCM. Who has a copy of the database alone cannot read it. */
export function seal(secret: Buffer, place: SealedPlace, text: string): Buffer {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', keyOf(secret, place), nonce).setAAD(dataOf(place))
  return Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
}

/** The text that was sealed; null where it is damaged, of another row, or sealed with a secret that was lost. */
export function unseal(secret: Buffer, place: SealedPlace, sealed: Buffer): string | null {
  if (sealed.length < nonceBytes + tagBytes) return null
  const tagAt = sealed.length - tagBytes
  const decipher = createDecipheriv('aes-256-gcm', keyOf(secret, place), sealed.subarray(0, nonceBytes), {
    authTagLength: tagBytes,
  })
    .setAAD(dataOf(place))
    .setAuthTag(sealed.subarray(tagAt))
  try {
    return Buffer.concat([decipher.update(sealed.subarray(nonceBytes, tagAt)), decipher.final()]).toString('utf8')
  } catch {
    return null
  }
}
