import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { seal, unseal } from './seal.ts'

const secret = randomBytes(32)
const place = { column: 'cards.token_sealed', companyId: 7, id: '12' }

test('a sealed text opens in its own place, and is another each time', () => {
  const sealed = seal(secret, place, 'AUTH_é')
  expect(unseal(secret, place, sealed)).toBe('AUTH_é')
  expect(sealed.includes('AUTH')).toBe(false)
  expect(seal(secret, place, 'AUTH_é').equals(sealed)).toBe(false)
})

test.each([
  ['of another company', { ...place, companyId: 8 }],
  ['of another row', { ...place, id: '2' }],
  ['of another column', { ...place, column: 'other.token_sealed' }],
])('it does not open in a place %s', (_, other) => {
  expect(unseal(secret, other, seal(secret, place, 'AUTH_1'))).toBeNull()
})

test('it does not open with another secret, cut short, or changed in any byte', () => {
  const sealed = seal(secret, place, 'AUTH_1')
  expect(unseal(randomBytes(32), place, sealed)).toBeNull()
  for (let length = 0; length < sealed.length; length++)
    expect(unseal(secret, place, sealed.subarray(0, length))).toBeNull()
  for (let at = 0; at < sealed.length; at++) {
    const changed = Buffer.from(sealed)
    changed.writeUInt8((changed.readUInt8(at) + 1) % 256, at)
    expect(unseal(secret, place, changed)).toBeNull()
  }
})
