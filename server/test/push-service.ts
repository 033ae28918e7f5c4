import { createDecipheriv, createECDH, type ECDH, hkdfSync, randomBytes } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A push that a browser received. */
export interface Pushed {
  path: string
  headers: IncomingHttpHeaders
  text: {
    title: string
    body: string
    url: string
    tag: string
    lang: string
    acknowledge?: { title: string; url: string }
  }
}

export const newPair = (): ECDH => {
  const pair = createECDH('prime256v1')
  pair.generateKeys()
  return pair
}

/** A key as a server is given it: 32 bytes, also where it begins with zeros. */
export const privateKeyOf = (pair: ECDH): string =>
  Buffer.concat([Buffer.alloc(32), pair.getPrivateKey()])
    .subarray(-32)
    .toString('base64url')

/** A push service, and behind it browsers, by path, that read what it has for them. */
export async function startPushService(paths: readonly string[]) {
  const secret = randomBytes(16)
  const own = new Map(paths.map((path) => [path, newPair()]))
  const pushed: Pushed[] = []
  const service = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const path = request.url ?? ''
      const browser = own.get(path)
      if (browser) {
        const text = JSON.parse(decrypt(browser, secret, Buffer.concat(parts)))
        pushed.push({ path, headers: request.headers, text })
      }
      response.writeHead(found.status).end()
    })
  })
  await new Promise<void>((done) => service.listen(0, '127.0.0.1', done))
  const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`
  const found = {
    url,
    pushed,
    /** Its answer. */
    status: 201,
    /** As PushSubscriptions say it. */
    browsers: [...own].map(([path, pair]) => ({
      endpoint: url + path,
      p256dh: pair.getPublicKey('base64url'),
      auth: secret.toString('base64url'),
    })),
    async close() {
      service.closeAllConnections()
      await new Promise((done) => service.close(done))
    },
  }
  return found
}
export type PushService = Awaited<ReturnType<typeof startPushService>>

/** Decrypts a body of aes128gcm as a browser does: RFC 8188, section 2, and RFC 8291, section 3. */
function decrypt(own: ECDH, secret: Buffer, body: Buffer): string {
  const derive = (salt: Buffer, key: Buffer, info: Buffer, length: number) =>
    Buffer.from(hkdfSync('sha256', key, salt, info, length))
  const salt = body.subarray(0, 16)
  const theirs = body.subarray(21, 21 + body.readUInt8(20))
  const sealed = body.subarray(21 + body.readUInt8(20))
  if (sealed.length > body.readUInt32BE(16)) throw new Error('more than a record')
  const about = Buffer.concat([Buffer.from('WebPush: info\0'), own.getPublicKey(), theirs])
  const key = derive(secret, own.computeSecret(theirs), about, 32)
  const decipher = createDecipheriv(
    'aes-128-gcm',
    derive(salt, key, Buffer.from('Content-Encoding: aes128gcm\0'), 16),
    derive(salt, key, Buffer.from('Content-Encoding: nonce\0'), 12),
  )
  decipher.setAuthTag(sealed.subarray(-16))
  const text = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()])
  // A 2 ends the last record; zeros after it would be padding.
  return text.subarray(0, text.lastIndexOf(2)).toString()
}
