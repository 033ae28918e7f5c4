import { describe, expect, it } from 'vitest'
import { sparkShape } from './sparkline-path.ts'

const size = { width: 100, height: 30 }
const period = { from: 0, to: 100 }
const none = { min: null, max: null }

describe('sparkShape', () => {
  it('starts anew after a gap', () => {
    const points = [0, 10, 60, 70].map((at) => ({ at, value: 5 }))
    expect(sparkShape(points, none, period, size, 20).line.match(/M/g)).toHaveLength(2)
  })

  it('stays inside its box, limits or not', () => {
    const points = [0, 50, 100].map((at, index) => ({ at, value: index * 4 }))
    const { line, band } = sparkShape(points, { min: 2, max: 8 }, period, size, 100)
    for (const [, x, y] of line.matchAll(/[ML]([\d.-]+) ([\d.-]+)/g)) {
      expect(Number(x)).toBeGreaterThanOrEqual(0)
      expect(Number(x)).toBeLessThanOrEqual(100)
      expect(Number(y)).toBeGreaterThanOrEqual(0)
      expect(Number(y)).toBeLessThanOrEqual(30)
    }
    expect(band && band.y >= 0 && band.y + band.height <= 30).toBe(true)
  })

  it('does not flatten the curve for a limit far away', () => {
    const points = [0, 50, 100].map((at, index) => ({ at, value: 20 + index * 0.4 }))
    const { line } = sparkShape(points, { min: -25, max: -15 }, period, size, 100)
    const ys = [...line.matchAll(/[ML][\d.-]+ ([\d.-]+)/g)].map(([, y]) => Number(y))
    expect(Math.max(...ys) - Math.min(...ys)).toBeGreaterThan(10)
  })

  it('has no line without points', () => {
    expect(sparkShape([], none, period, size, 10)).toEqual({ line: '', band: null })
  })
})
