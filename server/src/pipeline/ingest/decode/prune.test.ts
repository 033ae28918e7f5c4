import fc from 'fast-check'
import { expect, test } from 'vitest'
import { prune } from './prune.ts'

const long = ' '.repeat(512)
const nested = (depth: number, inner: string) => '[{"a":'.repeat(depth) + inner + '}]'.repeat(depth)

test('a body that is not deep stays as it is, brackets and quotes in its texts included', () => {
  fc.assert(
    fc.property(fc.json({ stringUnit: 'binary', maxDepth: 6 }), (json) => {
      const sent = json + long
      expect(prune(Buffer.from(sent))).toBe(Buffer.from(sent).toString())
    }),
  )
})

test('what is nested deeper than 32 becomes one text, and what stands beside it is kept', () => {
  fc.assert(
    fc.property(fc.integer({ min: 17, max: 300 }), fc.json(), fc.json(), (depth, inner, beside) => {
      const pruned = prune(Buffer.from(`[${nested(depth, inner)},${beside},${nested(16, '1')}]${long}`))
      const [deep, kept, ...more] = JSON.parse(pruned) as unknown[]
      expect(pruned).toContain('"…"')
      expect(JSON.stringify(deep)).toMatch(/^(\[\{"a":){15}\["…"\](\}\]){15}$/)
      expect([kept, ...more]).toEqual([JSON.parse(beside), JSON.parse(nested(15, '["…"]'))])
    }),
  )
})

test('a body that ends within its depth is no JSON', () => {
  expect(() => JSON.parse(prune(Buffer.from('['.repeat(1_000))))).toThrow()
  expect(() => JSON.parse(prune(Buffer.from(`${'['.repeat(600)}"\\"`)))).toThrow()
})
