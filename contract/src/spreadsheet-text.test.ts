import { expect, test } from 'vitest'
import { defused, plain } from './spreadsheet-text.ts'

test.each([
  ['=1+1', "'=1+1"],
  ['-20 freezer', "'-20 freezer"],
  [' @SUM(A1)', "' @SUM(A1)"],
  ['＝1', "'＝1"],
  ['a;=1+1', "a;'=1+1"],
  ['a\t+1', "a\t'+1"],
  ['a\n=1', "a\n'=1"],
  ['a\r\n=1', "a\r\n'=1"],
  ['a\r=1', "a\r'=1"],
  ["'=1", "''=1"],
  ['a=b; c', 'a=b; c'],
  ['2026-11-22', '2026-11-22'],
  ["it's", "it's"],
])('%j begins no formula anywhere (L17)', (text, expected) => {
  expect(defused(text)).toBe(expected)
})

test('every text reads back as it was (L17)', () => {
  const pieces = ['=', '+', '-', '@', "'", ';', '\t', '\r', '\n', ' ', 'a', '"', ',']
  // All texts of up to four of these pieces.
  let texts = ['']
  for (let length = 1; length <= 4; length += 1) {
    texts = texts.flatMap((text) => pieces.map((piece) => text + piece))
    for (const text of texts) {
      const safe = defused(text)
      if (plain(safe) !== text || /(^|[;\t\n\r]) *[=+\-@]/.test(safe)) expect.fail(JSON.stringify(text))
    }
  }
  expect(texts).toHaveLength(pieces.length ** 4)
})
