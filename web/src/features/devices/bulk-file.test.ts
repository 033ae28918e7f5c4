import { bulkColumns } from '@isotherm/contract/device-bulk.ts'
import { expect, test } from 'vitest'
import { textOf } from '../../lib/file-text.ts'
import { templateOf } from './bulk-file.ts'

const bytes = (...values: number[]) => new Uint8Array(values).buffer

test('a file is read as UTF-8, and what is none as the Western code page', () => {
  expect(textOf(bytes(0xc3, 0xa9))).toBe('é')
  expect(textOf(bytes(0xe9))).toBe('é')
})

test('the template names every column, with the separator that the language’s spreadsheets open', async () => {
  const header = async (locale: 'en' | 'fr') => (await templateOf(locale).text()).replace('\ufeff', '').split('\r\n')[0]
  expect(await header('en')).toBe(bulkColumns.join(','))
  expect(await header('fr')).toBe(bulkColumns.join(';'))
})
