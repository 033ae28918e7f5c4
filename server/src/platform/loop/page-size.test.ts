import { expect, test } from 'vitest'
import { PageSize } from './page-size.ts'

test('pages grow while they are quick, shrink where they take long, and stay within bounds', () => {
  const size = new PageSize()
  const after = (ms: number) => {
    size.took(ms)
    return size.rows
  }
  expect(size.rows).toBe(50)
  expect([1, 1, 1].map(after)).toEqual([100, 200, 200])
  expect(after(10)).toBe(200)
  expect([30, 30, 30, 30, 30, 30].map(after)).toEqual([100, 50, 25, 12, 10, 10])
})
