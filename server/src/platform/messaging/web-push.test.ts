import { createECDH, createPublicKey, verify } from 'node:crypto'
import { expect, test } from 'vitest'
import { encryptPush, sendPush, vapidOf } from './web-push.ts'

const base64 = (text: string) => Buffer.from(text, 'base64url')

test('a message is encrypted as in the example of RFC 8291', () => {
  const own = createECDH('prime256v1')
  own.setPrivateKey(base64('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw'))
  const browser = {
    p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
    auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  }
  const text = Buffer.from('When I grow up, I want to be a watermelon')
  expect(encryptPush(browser, text, own, base64('DGv6ra1nlYgDCS1FRnbzlw')).toString('base64url')).toBe(
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
  )
})

const pair = createECDH('prime256v1')
pair.generateKeys()
const account = {
  publicKey: pair.getPublicKey().toString('base64url'),
  privateKey: pair.getPrivateKey().toString('base64url'),
  subject: 'mailto:ops@example.test',
}

test('a push service can verify who pushes, for its origin and for half a day', () => {
  const now = new Date('2026-11-20T12:00:00Z')
  const [, token = '', key] = /^vapid t=(\S+), k=(\S+)$/.exec(vapidOf(account, 'https://push.test/a/b', now)) ?? []
  expect(key).toBe(account.publicKey)
  const [head = '', claims = '', signature = ''] = token.split('.')
  expect(JSON.parse(base64(claims).toString())).toEqual({
    aud: 'https://push.test',
    exp: now.getTime() / 1000 + 43_200,
    sub: 'mailto:ops@example.test',
  })
  const point = base64(account.publicKey)
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
  }
  const publicKey = createPublicKey({ key: jwk, format: 'jwk' })
  const signed = Buffer.from(`${head}.${claims}`)
  expect(verify('sha256', signed, { key: publicKey, dsaEncoding: 'ieee-p1363' }, base64(signature))).toBe(true)
})

test.each(['https://127.0.0.1/push', 'https://169.254.169.254/', 'https://[::1]/', 'http://93.184.216.34/'])(
  'an endpoint of our own net, or without TLS, is refused for good: %s',
  async (endpoint) => {
    const target = { endpoint, p256dh: account.publicKey, auth: 'BTBZMqHH6r4Tts7J_aSIgg' }
    const how = { isUrgent: true, allowPrivate: false, now: new Date() }
    expect(await sendPush(account, target, '{}', how)).toMatchObject({ ok: false, isGone: true })
  },
)
