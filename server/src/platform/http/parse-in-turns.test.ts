import { CheckpointFile } from '@isotherm/contract/audit.ts'
import { CorrectionQuestion } from '@isotherm/contract/places.ts'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { parseInTurns } from './parse-in-turns.ts'

const fixes = (count: number, of: (i: number) => object = () => ({})) =>
  Array.from({ length: count }, (_, i) => ({ at: '2026-11-20T09:00:00Z', lat: 6.5, lon: 3.4, ...of(i) }))

test.each([
  { of: 'a long list', value: { fixes: fixes(5_000) } },
  { of: 'a short one', value: { fixes: fixes(3), toleranceM: 7 } },
  { of: 'a list that is too long', value: { fixes: fixes(5_001) } },
  { of: 'a list with wrong items', value: { fixes: fixes(2_000, (i) => (i % 1_000 === 7 ? { lat: 91 } : {})) } },
  { of: 'wrong fields beside a long list', value: { fixes: fixes(2_000), toleranceM: 'x', colour: 1 } },
  { of: 'no object', value: [1, 2] },
  { of: 'null', value: null },
])('$of is parsed as at once (H3)', async ({ value }) => {
  const { data, error } = CorrectionQuestion.safeParse(value)
  const parsed = await parseInTurns(CorrectionQuestion, value)
  expect(parsed.data).toEqual(data)
  const told = (issues: readonly { path: PropertyKey[]; message: string }[]) =>
    issues.map(({ path, message }) => `${path.join('.')}: ${message}`).sort()
  expect(told(parsed.issues)).toEqual(told(error?.issues ?? []))
})

test('what looks at a list as a whole is asked about the whole of it (H3)', async () => {
  const distinct = z.array(z.number()).refine((all) => new Set(all).size === all.length)
  const body = z.object({ ids: distinct })
  const [once, twice] = [Array.from({ length: 900 }, (_, i) => i), Array(900).fill(1)]
  expect((await parseInTurns(body, { ids: once })).issues).toEqual([])
  expect((await parseInTurns(body, { ids: twice })).issues).toHaveLength(1)
  const both = z.object({ ids: z.array(z.number()) }).refine(({ ids }) => ids.length < 800)
  expect((await parseInTurns(both, { ids: once })).issues).toHaveLength(1)
})

test('a list of nothing but mistakes is given up after 200 (H3)', async () => {
  const file = { format: 'isotherm-audit-checkpoints-1', company: { id: '1', name: 'x' }, keys: [] }
  const { issues } = await parseInTurns(CheckpointFile, { ...file, checkpoints: Array(20_000).fill({}) })
  expect(issues.length).toBeGreaterThanOrEqual(200)
  expect(issues.length).toBeLessThan(220)
})
