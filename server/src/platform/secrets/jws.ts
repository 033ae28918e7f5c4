import type { PublicKey, SigningKeys } from '../config/signing-keys.ts'
import { isSignedBy } from '../config/signing-keys.ts'

const encode = (text: string) => Buffer.from(text).toString('base64url')

/** A text as a compact JWS (RFC 7515) with EdDSA (RFC 8037) by this installation's newest key. */
export function signJws(keys: Pick<SigningKeys, 'id' | 'sign'>, type: string, payload: string): string {
  const head = `${encode(JSON.stringify({ alg: 'EdDSA', kid: keys.id, typ: type }))}.${encode(payload)}`
  return `${head}.${keys.sign(head).toString('base64url')}`
}

export type CheckedJws =
  | { payload: string; keyId: string }
  | { fault: 'malformed' | 'unknownKey' | 'signature'; keyId: string | null }

/**
 * The payload of a JWS that one of these keys signed, or why it is refused. The algorithm is not chosen by the header: any but EdDSA, `none`
 * above all, is malformed.
 */
export function checkJws(known: readonly PublicKey[], type: string, jws: string): CheckedJws {
  const [head, payload, signature, ...more] = jws.split('.')
  const header = head && payload && signature && more.length === 0 ? headerOf(head) : null
  if (header?.alg !== 'EdDSA' || header.typ !== type || typeof header.kid !== 'string')
    return { fault: 'malformed', keyId: null }
  const key = known.find(({ id }) => id === header.kid)
  if (!key) return { fault: 'unknownKey', keyId: header.kid }
  if (!isSignedBy(key, `${head}.${payload}`, Buffer.from(signature ?? '', 'base64url')))
    return { fault: 'signature', keyId: key.id }
  return { payload: Buffer.from(payload ?? '', 'base64url').toString(), keyId: key.id }
}

function headerOf(text: string): Record<string, unknown> | null {
  try {
    const header: unknown = JSON.parse(Buffer.from(text, 'base64url').toString())
    return typeof header === 'object' && header !== null ? { ...header } : null
  } catch {
    return null
  }
}
