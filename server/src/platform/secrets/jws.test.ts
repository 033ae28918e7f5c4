import { createPublicKey, verify } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { rotateSigningKey, type SigningKeys, signingKeys } from '../config/signing-keys.ts'
import { checkJws, signJws } from './jws.ts'

let dir: string
let keys: SigningKeys
const type = 'test+jws'
const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'isotherm-jws-'))
  keys = await signingKeys(dir)
})
afterAll(() => rm(dir, { recursive: true, force: true }))

test('a signed text is what whoever has the public key reads', () => {
  const jws = signJws(keys, type, '{"a":"é"}')
  const [head = '', payload = '', signature = ''] = jws.split('.')
  const key = createPublicKey({
    key: { kty: 'OKP', crv: 'Ed25519', x: keys.known[0]?.publicKey ?? '' },
    format: 'jwk',
  })
  expect(verify(null, Buffer.from(`${head}.${payload}`), key, Buffer.from(signature, 'base64url'))).toBe(true)
  expect(checkJws(keys.known, type, jws)).toEqual({ payload: '{"a":"é"}', keyId: keys.id })
})

test('one changed letter anywhere is found', () => {
  const jws = signJws(keys, type, '{"verdict":"inRange","id":"12345"}')
  // The last letter of a part may have bits that no byte holds.
  const ends = new Set([...jws].flatMap((_, at) => (jws[at + 1] === '.' || at === jws.length - 1 ? [at] : [])))
  for (const [at, letter] of [...jws].entries()) {
    if (ends.has(at)) continue
    const other = `${jws.slice(0, at)}${letter === 'A' ? 'B' : 'A'}${jws.slice(at + 1)}`
    expect(checkJws(keys.known, type, other), `letter ${at}`).toHaveProperty('fault')
  }
})

test('no other algorithm, type, key or form is taken', async () => {
  const jws = signJws(keys, type, '{}')
  const [head = '', payload = '', signature = ''] = jws.split('.')
  const faultOf = (text: string) => checkJws(keys.known, type, text)
  const malformed = { fault: 'malformed', keyId: null }
  for (const header of [{ alg: 'none' }, { alg: 'HS256', kid: keys.id, typ: type }, { alg: 'EdDSA', kid: keys.id }])
    expect(faultOf(`${encode(header)}.${payload}.${signature}`)).toEqual(malformed)
  for (const text of [
    '',
    '..',
    'a.b',
    `${head}.${payload}`,
    `${head}.${payload}.`,
    `${jws}.x`,
    'bnVsbA.e30.AAAA',
    `!!.${payload}.AA`,
  ])
    expect(faultOf(text)).toEqual(malformed)
  expect(checkJws(keys.known, 'other+jws', jws)).toEqual(malformed)
  expect(checkJws([], type, jws)).toEqual({ fault: 'unknownKey', keyId: keys.id })
})

test('a proof stays genuine after the key was rotated', async () => {
  const jws = signJws(keys, type, '{}')
  await rotateSigningKey(dir, new Date())
  const now = await signingKeys(dir)
  expect(now.id).not.toBe(keys.id)
  expect(checkJws(now.known, type, jws)).toMatchObject({ keyId: keys.id })
})
