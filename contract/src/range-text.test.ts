import { expect, test } from 'vitest'
import { rangeText } from './range-text.ts'

test.each([
  ['2', '8', '2–8'],
  ['−25', '−15', '−25 – −15'],
  ['2', null, '≥ 2'],
  [null, '8', '≤ 8'],
])('from %s to %s is written %s', (min, max, text) => {
  expect(rangeText(min, max).replaceAll('\u00a0', ' ')).toBe(text)
})
