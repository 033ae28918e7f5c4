import { expect, test } from 'vitest'
import { isApiKey, isWellFormed, newApiKey } from './api-key-format.ts'

test.each([
  ['00'.repeat(32), 'isokey_0000000000000000000000000000000000000000000'],
  ['ff'.repeat(32), 'isokey_'],
])('256 bits become 43 signs and 6 that check them', (hex, beginning) => {
  const key = newApiKey(Buffer.from(hex, 'hex'))
  expect(key).toMatch(/^isokey_[0-9A-Za-z]{49}$/)
  expect(key.startsWith(beginning)).toBe(true)
  expect(isWellFormed(key)).toBe(true)
})

test('the signs of known bits are these, for scanners of leaked secrets to check', () => {
  const bits = Buffer.from('000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f', 'hex')
  expect(newApiKey(bits)).toBe('isokey_003aUlTJC7tjlCTQj2uNU3MFagCXG9LRKRcwGkBIDlf0rrIqO')
})

test('a key that has one wrong sign, or two that changed places, is known to be mistyped', () => {
  const key = newApiKey()
  for (let at = 'isokey_'.length; at < key.length; at++) {
    const other = key.charAt(at) === 'a' ? 'b' : 'a'
    expect(isWellFormed(key.slice(0, at) + other + key.slice(at + 1)), String(at)).toBe(false)
  }
  const [first, second] = [key.charAt(10), key.charAt(11)]
  if (first !== second) expect(isWellFormed(key.slice(0, 10) + second + first + key.slice(12))).toBe(false)
})

test.each(['', 'isokey_', 'x'.repeat(43), `isokey_${'!'.repeat(49)}`, `isokey_${'0'.repeat(50)}`])(
  '%s is no key',
  (text) => {
    expect(isWellFormed(text)).toBe(false)
  },
)

test('every secret is another one, and says that it is a key', () => {
  const keys = new Set(Array.from({ length: 1_000 }, () => newApiKey()))
  expect(keys.size).toBe(1_000)
  expect([...keys].every(isApiKey)).toBe(true)
  expect(isApiKey('x'.repeat(43))).toBe(false)
})
