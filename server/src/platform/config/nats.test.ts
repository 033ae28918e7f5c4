import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { loadConfig } from './config.ts'

const node = {
  ...{ NODE_LISTEN: '10.0.0.1:7400', NODE_SECRET: 'a secret of thirty-two characters and more' },
  DATABASE_URL: 'postgres://a/b',
}
const natsOf = (more: Record<string, string>) => loadConfig({ ...node, ...more }).nats
const file = (text: string) => {
  const path = join(mkdtempSync(join(tmpdir(), 'isotherm-nats-')), 'file')
  writeFileSync(path, text)
  return path
}

describe('NATS', () => {
  test('is not used by default', () => {
    expect(natsOf({})).toBeNull()
  })

  test('has a server or several, a user, a token or none', () => {
    const plain = { isSecure: false, tls: {}, login: null }
    expect(natsOf({ NATS_URL: 'nats://bus' })).toEqual({ ...plain, servers: ['bus:4222'] })
    expect(natsOf({ NATS_URL: 'nats://s%40cret@a:4223, nats://b' })).toEqual({
      ...{ ...plain, servers: ['a:4223', 'b:4222'], login: { token: 's@cret' } },
    })
    expect(natsOf({ NATS_URL: 'nats://me:pass@a,b:1' })).toEqual({
      ...{ ...plain, servers: ['a:4222', 'b:1'], login: { user: 'me', pass: 'pass' } },
    })
    expect(natsOf({ NATS_URL: 'nats://[::1]:4222' })?.servers).toEqual(['[::1]:4222'])
  })

  test('demands TLS where the address says so, and takes files', () => {
    const [ca, creds] = [file('an authority'), file('credentials')]
    expect(natsOf({ NATS_URL: 'tls://bus', NATS_TLS_CA: ca, NATS_CREDS: creds })).toEqual({
      ...{ servers: ['bus:4222'], isSecure: true, tls: { ca: 'an authority' } },
      login: { creds: Buffer.from('credentials') },
    })
  })

  test.each([
    ['NODE_LISTEN must be set with NATS_URL', { NODE_LISTEN: '', NATS_URL: 'nats://bus' }],
    ['NATS_URL must start with tls://', { NATS_URL: 'nats://bus', NATS_TLS_CA: file('x') }],
    ['must be set together', { NATS_URL: 'tls://bus', NATS_TLS_CERT: file('x') }],
    ['NATS_CREDS must be unset', { NATS_URL: 'nats://me:pass@bus', NATS_CREDS: file('x') }],
    ['NATS_TLS_CA: the file cannot be read', { NATS_URL: 'tls://bus', NATS_TLS_CA: '/nowhere/ca.pem' }],
    ['NATS_URL must be nats://', { NATS_URL: 'nats://a, http://b' }],
  ])('is refused with a sentence: %s', (sentence, more) => {
    expect(() => natsOf(more)).toThrow(sentence)
  })

  test('an address of a server has a port that there is', () => {
    for (const address of ['10.0.0.1:70000', '10.0.0.1', ':7400'])
      expect(() => natsOf({ NODE_ADDRESS: address }), address).toThrow('NODE_ADDRESS must be HOST:PORT')
  })

  test('no password is in the sentence', () => {
    expect(() => natsOf({ NATS_URL: 'nats://me:pass-word@a,tls://b' })).toThrow(/^(?!.*pass-word)/s)
  })
})
