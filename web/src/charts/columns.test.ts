import { describe, expect, it } from 'vitest'
import { columnsOf } from './columns.ts'
import type { ChartPoint } from './model.ts'

const point = (at: number, value: number): ChartPoint => ({ at, min: value, avg: value, max: value })

describe('columnsOf', () => {
  it('leaves few points as they are', () => {
    const points = [point(0, 1), point(10, 2), point(20, 3)]
    expect(columnsOf(points, { from: 0, to: 20 }, 100)).toEqual([points])
  })

  it('breaks the line where the device was silent', () => {
    const points = [point(0, 1), point(10, 2), { ...point(40, 3), afterGap: true }]
    expect(columnsOf(points, { from: 0, to: 40 }, 100).map((run) => run.length)).toEqual([2, 1])
  })

  it('keeps one point beyond each edge, so that the line reaches it', () => {
    const points = [0, 10, 20, 30, 40].map((at) => point(at, at))
    expect(columnsOf(points, { from: 15, to: 25 }, 100)[0]?.map(({ at }) => at)).toEqual([10, 20, 30])
  })

  it('never loses a peak, however many points share a column', () => {
    const points = Array.from({ length: 50_000 }, (_, index) => point(index, index === 31_337 ? 40 : Math.sin(index)))
    const runs = columnsOf(points, { from: 0, to: 50_000 }, 900)
    const drawn = runs.flat()
    expect(drawn.length).toBeLessThanOrEqual(905)
    expect(Math.max(...drawn.map(({ max }) => max))).toBe(40)
    expect(drawn.every(({ min, avg, max }) => min <= avg && avg <= max)).toBe(true)
  })

  it('does not join columns across a gap that falls inside one of them', () => {
    const points = Array.from({ length: 1000 }, (_, i) =>
      i === 500 ? { ...point(i, 2), afterGap: true } : point(i, i < 500 ? 1 : 2),
    )
    const runs = columnsOf(points, { from: 0, to: 1000 }, 7)
    expect(runs).toHaveLength(2)
    expect(runs[0]?.every(({ max }) => max === 1)).toBe(true)
  })

  it('has no run where there is no point', () => {
    expect(columnsOf([], { from: 0, to: 1 }, 10)).toEqual([])
  })
})
