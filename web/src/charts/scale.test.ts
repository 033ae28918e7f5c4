import { describe, expect, it } from 'vitest'
import { geometryOf, keptWithin, timeAt, xOf, zoomed } from './geometry.ts'
import { extentOf, niceDomain } from './scale.ts'

describe('niceDomain', () => {
  it('has round ends that hold the values', () => {
    expect(niceDomain(1.83, 8.4, 5)).toEqual({ min: 0, max: 10, step: 2 })
    expect(niceDomain(-24.6, -15.1, 4)).toEqual({ min: -25, max: -15, step: 5 })
  })

  it('gives a flat curve room', () => {
    const { min, max } = niceDomain(4, 4, 4, 0.2)
    expect(min).toBeLessThan(4)
    expect(max).toBeGreaterThan(4)
  })
})

describe('extentOf', () => {
  it('counts limits in force within the window, and no others', () => {
    const runs = [[{ at: 5, min: 3, avg: 4, max: 5 }]]
    const limits = [
      { from: 0, to: 10, min: 2, max: 8 },
      { from: 20, to: 30, min: -25, max: null },
    ]
    expect(extentOf(runs, limits, { from: 0, to: 10 })).toEqual([2, 8])
    expect(extentOf([], [], { from: 0, to: 10 })).toBeNull()
  })
})

describe('geometry', () => {
  it('stacks panels without overlap, inside the chart', () => {
    const { plots } = geometryOf(900, 400, 3, 'stacked')
    plots.reduce((end, box) => {
      expect(box.top).toBeGreaterThan(end)
      return box.top + box.height
    }, 0)
    const last = plots.at(-1)
    expect(last && last.top + last.height).toBeLessThanOrEqual(400 - 20)
  })

  it('gives every measure the same plot where the axes share one', () => {
    const { plots } = geometryOf(900, 400, 2, 'shared')
    expect(plots[0]).toEqual(plots[1])
  })

  it('finds the instant under a pixel again', () => {
    const window = { from: 1000, to: 9000 }
    const box = { left: 46, top: 0, width: 500, height: 100 }
    expect(timeAt(xOf(4321, window, box), window, box)).toBeCloseTo(4321)
  })
})

describe('zooming', () => {
  const whole = { from: 0, to: 86_400_000 }
  it('keeps the instant under the pointer where it is', () => {
    const next = zoomed(whole, whole, 0.5, 21_600_000)
    expect(next).toEqual({ from: 10_800_000, to: 54_000_000 })
  })

  it('never leaves the period nor shows less than a minute', () => {
    expect(keptWithin({ from: -5_000_000, to: 5_000_000 }, whole)).toEqual({ from: 0, to: 10_000_000 })
    const tiny = zoomed(whole, whole, 1e-9, 0)
    expect(tiny).toEqual({ from: 0, to: 60_000 })
    expect(zoomed(whole, whole, 100, 5)).toEqual(whole)
  })
})
