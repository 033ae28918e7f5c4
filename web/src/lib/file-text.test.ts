import { expect, test } from 'vitest'
import { textOf } from './file-text.ts'

const bufferOf = (bytes: Uint8Array) => Uint8Array.from(bytes).buffer
const swapped = (bytes: Buffer) => Buffer.from(bytes).swap16()

test('a file is read in whatever spreadsheets write', () => {
  const text = 'name\tphone\r\nKühl 🧊\t0803'
  const utf16 = Buffer.from(`\ufeff${text}`, 'utf16le')
  for (const bytes of [Buffer.from(text), Buffer.from(`\ufeff${text}`), utf16, swapped(utf16)])
    expect(textOf(bufferOf(bytes)).replace(/^\ufeff/, '')).toBe(text)
  expect(textOf(bufferOf(Buffer.from('K\u00fchl, \u00e9', 'latin1')))).toBe('Kühl, é')
  expect(textOf(bufferOf(Buffer.alloc(0)))).toBe('')
  expect(textOf(bufferOf(Buffer.from('a')))).toBe('a')
})
