import { expect, test } from 'vitest'
import { coverFault } from './cover.ts'

const goods = { worth: 500, from: new Date('2026-12-01T08:00:00Z'), until: new Date('2026-12-05T23:59:59Z') }
const until = (at: string) => ({ certified_worth: '500', valid_from: goods.from, valid_to: new Date(at) })

test('a certificate until the last minute of a day covers what is to be there on that day', () => {
  expect(coverFault(until('2026-12-05T23:59:00Z'), goods)).toBeNull()
  expect(coverFault(until('2026-12-05T23:58:59Z'), goods)).toBe('tooShort')
})
