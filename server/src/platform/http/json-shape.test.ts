import fc from 'fast-check'
import { expect, test } from 'vitest'
import { jsonFault } from './json-shape.ts'

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)

test('a text is too deep beyond 64 brackets, however they stand, and not for those within strings (L22)', () => {
  expect(jsonFault(nested(64))).toBeNull()
  expect(jsonFault(nested(65))).toBe('tooDeep')
  expect(jsonFault('{"a":'.repeat(65))).toBe('tooDeep')
  expect(jsonFault(JSON.stringify({ a: '['.repeat(1000), b: `"\\${'{'.repeat(1000)}` }))).toBeNull()
  expect(jsonFault(JSON.stringify([1, nested(40)]) + nested(30))).toBeNull()
  expect(jsonFault(`${' '.repeat(100)}"never ends${'['.repeat(100)}`)).toBeNull()
})

test('a text has too many values beyond 200,000, and not for commas within strings (H3)', () => {
  expect(jsonFault(`[${'1,'.repeat(199_999)}1]`)).toBeNull()
  expect(jsonFault(`[${'1,'.repeat(200_000)}1]`)).toBe('tooMany')
  expect(jsonFault(JSON.stringify(','.repeat(1_000_000)))).toBeNull()
})

test('a long text has too many names of fields beyond 5,000, however they are written (H3)', () => {
  const named = (count: number, sign: string) =>
    `[${Array.from({ length: count }, (_, i) => `{"name${i}"${sign}"${'x'.repeat(20)}"}`).join()}]`
  for (const sign of [':', ' \n :']) {
    expect(jsonFault(named(5_000, sign))).toBeNull()
    expect(jsonFault(named(5_001, sign))).toBe('tooMany')
    expect(jsonFault(Buffer.from(named(5_001, sign)))).toBe('tooMany')
  }
})

test('what is told of a text is told of its bytes (L22)', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[[{"\\a\]}]{0,400}$/), (text) => {
      expect(jsonFault(Buffer.from(text))).toBe(jsonFault(text))
    }),
    { numRuns: 500 },
  )
})

test('a megabyte of open brackets is refused for next to nothing (L22)', () => {
  const before = process.threadCpuUsage()
  expect(jsonFault('['.repeat(1_000_000))).toBe('tooDeep')
  expect(jsonFault(`["${'\\\\'.repeat(500_000)}"]`)).toBeNull()
  const { user, system } = process.threadCpuUsage(before)
  expect((user + system) / 1000).toBeLessThan(50)
})
