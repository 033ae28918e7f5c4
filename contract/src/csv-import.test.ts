import { expect, test } from 'vitest'
import { CsvText } from './csv-import.ts'

test('a CSV file has letters of all alphabets and emojis, lines and tabs, and no other control character', () => {
  for (const text of ['name\r\nKühlschrank\t🧊', 'é'.repeat(2), '\ufeffname', '名前,温度', 'a\u00a0b'])
    expect(CsvText.safeParse(text).success, JSON.stringify(text)).toBe(true)
  for (const text of ['a\u0000b', 'a\u000bb', 'a\u007fb', 'a\u009fb', 'a\ud800b', '\udfff', ''])
    expect(CsvText.safeParse(text).success, JSON.stringify(text)).toBe(false)
})
