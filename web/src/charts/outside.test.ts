import { describe, expect, it } from 'vitest'
import type { ChartPoint, LimitSpan } from './model.ts'
import { beyondLimits, limitsAt, sideOf } from './outside.ts'

const point = (at: number, value: number): ChartPoint => ({ at, min: value, avg: value, max: value })
const span = (from: number, to: number, min: number | null, max: number | null): LimitSpan => ({ from, to, min, max })

describe('beyondLimits', () => {
  it('cuts the curve exactly where it crosses the limit', () => {
    const run = [point(0, 6), point(10, 10), point(20, 6)]
    expect(beyondLimits([run], [span(0, 100, 2, 8)])).toEqual([
      {
        side: 'above',
        limit: 8,
        edge: [
          [5, 8],
          [10, 10],
          [15, 8],
        ],
      },
    ])
  })

  it('takes a value on the limit as inside', () => {
    expect(beyondLimits([[point(0, 8), point(10, 8)]], [span(0, 100, 2, 8)])).toEqual([])
  })

  it('judges by the limits of the time', () => {
    const run = [point(0, 10), point(10, 10), point(20, 10)]
    const found = beyondLimits([run], [span(0, 10, null, 12), span(10, 100, null, 8)])
    expect(found).toEqual([
      {
        side: 'above',
        limit: 8,
        edge: [
          [10, 10],
          [20, 10],
        ],
      },
    ])
  })

  it('finds both sides, from the greatest and the least of a bucket', () => {
    const run = [
      { at: 0, min: 1, avg: 5, max: 9 },
      { at: 10, min: 1, avg: 5, max: 9 },
    ]
    expect(beyondLimits([run], [span(0, 100, 2, 8)]).map(({ side }) => side)).toEqual(['above', 'below'])
  })

  it('keeps runs apart', () => {
    const runs = [[point(0, 9)], [point(50, 9), point(60, 9)]]
    expect(beyondLimits(runs, [span(0, 100, 2, 8)]).map(({ edge }) => edge.length)).toEqual([1, 2])
  })
})

describe('sideOf', () => {
  it("judges yesterday's reading by yesterday's limits", () => {
    const limits = [span(0, 10, null, 12), span(10, 20, null, 8)]
    expect(sideOf(point(5, 10), limits)).toBeNull()
    expect(sideOf(point(15, 10), limits)).toBe('above')
  })

  it('knows no side without limits', () => {
    expect(sideOf(point(5, 100), [])).toBeNull()
    expect(limitsAt([span(10, 20, 1, 2)], 5)).toBeNull()
  })
})
