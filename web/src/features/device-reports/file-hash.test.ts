import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { hashOf } from './file-hash.ts'

test.each([0, 3, 64, 1_000_003])('a file of %i bytes has the hash everybody else finds', async (size) => {
  const bytes = Buffer.alloc(size, 'isotherm')
  expect(await hashOf(new Blob([bytes]))).toBe(createHash('sha256').update(bytes).digest('hex'))
})

test('one changed byte is another hash', async () => {
  expect(await hashOf(new Blob(['8.0 °C']))).not.toBe(await hashOf(new Blob(['8.1 °C'])))
})
