// Ours, on node:crypto: a hundred lines that the example of RFC 8291 proves, where npm's web-push brings 17 packages and
// posts to endpoints without a guard.
import { createCipheriv, createECDH, createPrivateKey, type ECDH, hkdfSync, randomBytes, sign } from 'node:crypto'
import type { WebPushAccount } from '../config/messaging.ts'
import { postGuarded } from './webhook.ts'

/** A browser to push to, as its PushSubscription says; keys in base64url. */
export interface PushTarget {
  endpoint: string
  p256dh: string
  auth: string
}

const hkdf = (salt: Buffer, key: Buffer, info: Buffer, length: number) =>
  Buffer.from(hkdfSync('sha256', key, salt, info, length))
const recordSize = 4096

/**
 * A message only that browser can read: RFC 8291, by aes128gcm of RFC 8188, in one record. `own` and `salt` are made for
 * each message; tests give those of the RFC.
 */
export function encryptPush(
  { p256dh, auth }: Pick<PushTarget, 'p256dh' | 'auth'>,
  text: Buffer,
  own: ECDH = fresh(),
  salt: Buffer = randomBytes(16),
): Buffer {
  const theirs = Buffer.from(p256dh, 'base64url')
  const ours = own.getPublicKey()
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), theirs, ours])
  const secret = hkdf(Buffer.from(auth, 'base64url'), own.computeSecret(theirs), info, 32)
  const key = hkdf(salt, secret, Buffer.from('Content-Encoding: aes128gcm\0'), 16)
  const nonce = hkdf(salt, secret, Buffer.from('Content-Encoding: nonce\0'), 12)
  const cipher = createCipheriv('aes-128-gcm', key, nonce)
  const sealed = Buffer.concat([
    cipher.update(text),
    cipher.update(Buffer.from([2])),
    cipher.final(),
    cipher.getAuthTag(),
  ])
  const head = Buffer.alloc(21)
  salt.copy(head)
  head.writeUInt32BE(recordSize, 16)
  head.writeUInt8(ours.length, 20)
  return Buffer.concat([head, ours, sealed])
}

function fresh(): ECDH {
  const pair = createECDH('prime256v1')
  pair.generateKeys()
  return pair
}

/** Proves to a push service who we are (VAPID, RFC 8292): a token for its origin, signed by our key. */
export function vapidOf({ publicKey, privateKey, subject }: WebPushAccount, endpoint: string, now: Date): string {
  const point = Buffer.from(publicKey, 'base64url')
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
    d: privateKey,
  }
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const exp = Math.floor(now.getTime() / 1000) + 12 * 3600
  const claims = `${part({ typ: 'JWT', alg: 'ES256' })}.${part({ aud: new URL(endpoint).origin, exp, sub: subject })}`
  const key = createPrivateKey({ key: jwk, format: 'jwk' })
  const signature = sign('sha256', Buffer.from(claims), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')
  return `vapid t=${claims}.${signature}, k=${publicKey}`
}

/** `isGone`: that browser wants no more, or is none. */
export type Pushed = { ok: true; provider: string; providerId: null } | { ok: false; reason: string; isGone: boolean }

/** Pushes to a browser. Its endpoint is an address that somebody gave us: guarded as a webhook's. Throws where it may be tried again. */
export async function sendPush(
  account: WebPushAccount,
  target: PushTarget,
  text: string,
  { isUrgent, allowPrivate, now }: { isUrgent: boolean; allowPrivate: boolean; now: Date },
): Promise<Pushed> {
  const posted = await postGuarded(
    target.endpoint,
    encryptPush(target, Buffer.from(text)),
    {
      'content-type': 'application/octet-stream',
      'content-encoding': 'aes128gcm',
      authorization: vapidOf(account, target.endpoint, now),
      ttl: '86400',
      urgency: isUrgent ? 'high' : 'normal',
    },
    allowPrivate,
  )
  if ('refused' in posted) return { ok: false, reason: posted.refused, isGone: true }
  const { status } = posted
  if (status >= 200 && status < 300) return { ok: true, provider: 'push', providerId: null }
  if (status >= 500 || status === 408 || status === 429) throw new Error(`the push service answered ${status}`)
  return { ok: false, reason: `the push service answered ${status}`, isGone: status === 404 || status === 410 }
}
