import { expect, test } from 'vitest'
import { besideLine } from './ticks.ts'

test('the words beside a line stand right of it, and left of it where the sheet would cut them off', () => {
  expect(besideLine(100, 20, 500)).toBe(102)
  expect(besideLine(476, 20, 500)).toBe(478)
  expect(besideLine(477, 20, 500)).toBe(455)
})
