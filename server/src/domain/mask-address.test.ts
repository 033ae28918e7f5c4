import { expect, test } from 'vitest'
import { maskAddress } from './mask-address.ts'

test.each([
  ['ada@example.test', 'a…@example.test'],
  ['a@b.test', 'a…@b.test'],
  ['"a@b"@c.test', '"…@c.test'],
  ['élan@c.test', 'é…@c.test'],
  ['@c.test', '…@c.test'],
  ['ada', '…'],
  ['', '…'],
])('%s is told as %s', (address, masked) => {
  expect(maskAddress(address)).toBe(masked)
})
