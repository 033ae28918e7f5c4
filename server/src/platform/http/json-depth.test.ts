import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isTooDeep } from './json-depth.ts'

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)

test('a text is too deep beyond 64 brackets, however they stand, and not for those within strings (L22)', () => {
  expect(isTooDeep(nested(64))).toBe(false)
  expect(isTooDeep(nested(65))).toBe(true)
  expect(isTooDeep('{"a":'.repeat(65))).toBe(true)
  expect(isTooDeep(JSON.stringify({ a: '['.repeat(1000), b: `"\\${'{'.repeat(1000)}` }))).toBe(false)
  expect(isTooDeep(JSON.stringify([1, nested(40)]) + nested(30))).toBe(false)
  expect(isTooDeep(`${' '.repeat(100)}"never ends${'['.repeat(100)}`)).toBe(false)
})

test('what is told of a text is told of its bytes (L22)', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[[{"\\a\]}]{0,400}$/), (text) => {
      expect(isTooDeep(Buffer.from(text))).toBe(isTooDeep(text))
    }),
    { numRuns: 500 },
  )
})

test('a megabyte of open brackets is refused for next to nothing (L22)', () => {
  const before = process.threadCpuUsage()
  expect(isTooDeep('['.repeat(1_000_000))).toBe(true)
  expect(isTooDeep(`["${'\\\\'.repeat(500_000)}"]`)).toBe(false)
  const { user, system } = process.threadCpuUsage(before)
  expect((user + system) / 1000).toBeLessThan(50)
})
