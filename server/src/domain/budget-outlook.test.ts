import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type AllowanceLeft, type BudgetFacts, budgetOutlook } from './budget-outlook.ts'

const hour = 3_600_000
const above = (more: Partial<AllowanceLeft> = {}): AllowanceLeft => ({
  ...{ side: 'above', leftMs: 10 * hour, usedMs: 2 * hour, recentMs: null, history: [], ...more },
})
/** Half-way: ten days gone, ten to go, and all that was measured is there. */
const facts = (more: Partial<BudgetFacts> = {}): BudgetFacts => ({
  ...{ startedAt: 0, now: 240 * hour, measuredUntil: 240 * hour, measuredMs: 240 * hour, isSpent: false },
  ...{ arrival: { earliest: 480 * hour, latest: 480 * hour }, allowances: [above()], ...more },
})

describe('a budget', () => {
  test('holds where the shipment goes on as it did, and is at risk where the last days were worse', () => {
    expect(budgetOutlook(facts())).toEqual({
      ...{ state: 'within', reasons: ['ownUse'] },
      sides: [{ side: 'above', leftMs: 10 * hour, use: { low: 2 * hour, high: 2 * hour } }],
    })
    const worse = budgetOutlook(facts({ allowances: [above({ recentMs: 3.6 * hour })] }))
    expect([worse.state, worse.reasons, worse.sides[0]?.use?.high]).toEqual([
      'atRisk',
      ['ownUse', 'recentUse'],
      12 * hour,
    ])
  })

  test('does not hold where not even the best leaves anything, nor once it is spent', () => {
    expect(budgetOutlook(facts({ allowances: [above({ usedMs: 12 * hour })] })).state).toBe('beyond')
    expect(budgetOutlook(facts({ isSpent: true }))).toMatchObject({ state: 'beyond', reasons: ['spent'] })
  })

  test('is judged by its worst side, and by the latest arrival', () => {
    const cold: AllowanceLeft = { ...above({ usedMs: 12 * hour }), side: 'below' }
    expect(budgetOutlook(facts({ allowances: [above(), cold] })).state).toBe('beyond')
    const late = facts({ arrival: { earliest: 300 * hour, latest: 1_500 * hour } })
    expect(budgetOutlook(late).state).toBe('atRisk')
  })

  test('is unknown without an arrival, an allowance, readings or time enough, and where it was silent for longer than it measured', () => {
    const told = (more: Partial<BudgetFacts>) => {
      const { state, reasons } = budgetOutlook(facts(more))
      return [state, ...reasons]
    }
    expect(told({ arrival: null })).toEqual(['unknown', 'noArrival'])
    expect(told({ allowances: [] })).toEqual(['unknown', 'boundsOnly'])
    expect(told({ measuredUntil: null, measuredMs: 0 })).toEqual(['unknown', 'noReadings'])
    expect(told({ measuredMs: 23 * hour })).toEqual(['unknown', 'tooEarly'])
    expect(told({ measuredUntil: 100 * hour, measuredMs: 100 * hour })).toEqual(['unknown', 'silent'])
  })

  test('is told by earlier shipments of the lane where its own readings do not carry it', () => {
    const few = facts({ measuredUntil: null, measuredMs: 0, allowances: [above({ history: [0, 0] })] })
    expect(budgetOutlook(few).state).toBe('unknown')
    const some = budgetOutlook(
      facts({ measuredUntil: null, measuredMs: 0, allowances: [above({ history: [0.01, 0, 0.01, 0] })] }),
    )
    expect([some.state, some.reasons]).toEqual(['within', ['noReadings', 'history']])
  })

  test('holds for an arrival that is overdue by what may still come until now', () => {
    const overdue = budgetOutlook(facts({ arrival: { earliest: 230 * hour, latest: 235 * hour } }))
    expect([overdue.state, overdue.reasons, overdue.sides[0]?.use?.high]).toEqual(['within', ['overdue', 'ownUse'], 0])
  })
})

test('an hour more of use, a later arrival or less left never makes a budget safer', () => {
  const rank = { within: 0, atRisk: 1, beyond: 2, unknown: 3 }
  const share = fc.double({ min: 0, max: 1, noNaN: true })
  fc.assert(
    fc.property(share, share, share, fc.array(share, { minLength: 3, maxLength: 8 }), (left, used, length, history) => {
      const make = (worse: number) =>
        budgetOutlook(
          facts({
            arrival: { earliest: (241 + 300 * length + worse) * hour, latest: (260 + 300 * length + worse) * hour },
            allowances: [
              above({ leftMs: Math.max(0, left * 50 - worse) * hour, usedMs: (used * 100 + worse) * hour, history }),
            ],
          }),
        )
      expect(rank[make(1).state]).toBeGreaterThanOrEqual(rank[make(0).state])
    }),
    { numRuns: 1_000 },
  )
})
