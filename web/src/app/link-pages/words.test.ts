import { expect, test } from 'vitest'
import { ends, span } from './words.ts'

const zone = 'Africa/Lagos'

test('a span writes its zone once, and its day once where it is one', () => {
  expect(ends('2026-11-27T08:00:00.000Z', '2026-11-27T09:00:00.000Z', zone)).toEqual({
    from: '27 Nov 2026, 09:00',
    to: '10:00 GMT+1',
  })
  expect(span('2026-11-27T22:50:00.000Z', '2026-11-27T23:20:00.000Z', zone)).toBe(
    '27 Nov 2026, 23:50 – 28 Nov 2026, 00:20 GMT+1',
  )
})
