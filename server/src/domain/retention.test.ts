import fc from 'fast-check'
import { expect, test } from 'vitest'
import '../../test/properties.ts'
import { monthsBefore, type Retention, retentionStep } from './retention.ts'

const dayMs = 86_400_000
const start = Date.parse('2026-01-31T10:00:00Z')

test.each([
  ['2026-03-31T10:00:00Z', 1, '2026-02-28T10:00:00Z'],
  ['2028-02-29T10:00:00Z', 12, '2027-02-28T10:00:00Z'],
  ['2026-05-15T00:00:00Z', 25, '2024-04-15T00:00:00Z'],
])('%s, %i months before', (at, months, before) => {
  expect(monthsBefore(new Date(at), months).toISOString()).toBe(new Date(before).toISOString())
})

test('property: fewer months are in force only 90 days after people heard of just that, and 30 days after they heard it again', () => {
  const wishes = fc.array(
    fc.record({
      days: fc.integer({ min: 0, max: 120 }),
      wanted: fc.option(fc.integer({ min: 2, max: 6 }), { nil: null }),
    }),
    { minLength: 1, maxLength: 60 },
  )
  fc.assert(
    fc.property(wishes, (list) => {
      let state: Retention = { months: null, next: null }
      let now = start
      let heard: { months: number; at: number; again: number | null } | null = null
      for (const { days, wanted } of list) {
        now += days * dayMs
        const at = new Date(now)
        const step = retentionStep(state, wanted, at)
        const before = state.months ?? Number.POSITIVE_INFINITY
        switch (step?.act) {
          case 'announce':
            heard = { months: step.months, at: now, again: null }
            state = { ...state, next: { months: step.months, announcedAt: at, toldAgainAt: null, at: step.at } }
            break
          case 'again':
            expect(heard).toMatchObject({ months: step.months, again: null })
            if (heard) heard.again = now
            state = { ...state, next: state.next && { ...state.next, toldAgainAt: at, at: step.at } }
            break
          case 'begin':
          case 'lengthen':
            if (step.months < before) {
              expect(heard?.months).toBe(step.months)
              expect(now - (heard?.at ?? now)).toBeGreaterThanOrEqual(90 * dayMs)
              expect(now - (heard?.again ?? now)).toBeGreaterThanOrEqual(30 * dayMs)
            }
            state = { months: step.months, next: null }
            break
          case 'withdraw':
            state = { ...state, next: null }
            break
          case 'lift':
            state = { months: null, next: null }
            break
        }
        // Never shorter than the plan keeps.
        if (wanted === null) expect(state.months).toBe(null)
        else if (state.months !== null) expect(state.months).toBeGreaterThanOrEqual(wanted)
      }
    }),
    { numRuns: 500 },
  )
})
