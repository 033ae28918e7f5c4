import { expect, test } from 'vitest'
import { lowerCase } from './lower-case.ts'

test.each([
  ['İSTANBUL Soğuk Depo', 'istanbul soğuk depo'],
  ['ΟΔΟΣ', 'οδοσ'],
  ['οδός', 'οδός'],
  ['ÉCLUSE ẞ', 'écluse ß'],
  ['Iı', 'iı'],
  ['PO-17 / b', 'po-17 / b'],
])('%s is the same sign by sign', (text, lower) => {
  expect(lowerCase(text)).toBe(lower)
  expect([...lowerCase(text)]).toHaveLength([...text].length)
})
