import { expect, test } from 'vitest'
import { requestKeys } from './request-keys.ts'

test('a body that is sent again has the same key, and another body another one', () => {
  const keyOf = requestKeys()
  const hold = { kind: 'customsHold', at: '2026-06-24T14:30' }
  const first = keyOf(hold)
  expect(first).toMatch(/\S{8,}/)
  expect(keyOf({ ...hold })).toBe(first)
  expect(keyOf({ ...hold, at: '2026-06-24T14:31' })).not.toBe(first)
  expect(requestKeys()(hold)).not.toBe(first)
})
