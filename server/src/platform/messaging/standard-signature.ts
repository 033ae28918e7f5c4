import { createHmac } from 'node:crypto'

/** The bytes of a secret as Standard Webhooks writes it: `whsec_` and base64. Keys of older versions are base64url, which is read as well. */
export const secretBytes = (secret: string): Buffer => Buffer.from(secret.replace(/^whsec_/, ''), 'base64')

/** The header `webhook-signature`: a signature for each secret, with spaces between them. `stamp`: seconds since 1970. */
export function standardSignature(secrets: readonly string[], id: string, stamp: number, body: string): string {
  const text = `${id}.${stamp}.${body}`
  const one = (secret: string) => createHmac('sha256', secretBytes(secret)).update(text).digest('base64')
  return secrets.map((secret) => `v1,${one(secret)}`).join(' ')
}
