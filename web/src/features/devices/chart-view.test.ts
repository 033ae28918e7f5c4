import { describe, expect, it } from 'vitest'
import { searchOfView, viewOf } from './chart-view.ts'
import { compared, periodBefore } from './compared.ts'

describe('viewOf', () => {
  it('shows temperature and humidity where the URL says nothing, or nonsense', () => {
    for (const search of [{}, { measures: '' }, { measures: 'speed' }, { measures: 5 }])
      expect(viewOf(search)).toEqual({ shown: ['temperature', 'humidity'], compare: false })
  })

  it('is what searchOfView wrote, in one order', () => {
    const view = { shown: ['temperature', 'light'] as const, compare: true }
    expect(searchOfView({ ...view, shown: ['light', 'temperature'] })).toEqual({
      measures: 'temperature,light',
      compare: 'before',
    })
    expect(viewOf(searchOfView(view))).toEqual(view)
  })

  it('leaves the usual out of the URL', () => {
    expect(searchOfView({ shown: ['humidity', 'temperature'], compare: false })).toEqual({})
  })
})

describe('the period before', () => {
  it('is as long and ends where this one begins', () => {
    expect(periodBefore({ from: '2026-11-02T00:00:00.000Z', to: '2026-11-03T12:00:00.000Z' })).toEqual({
      from: '2026-10-31T12:00:00.000Z',
      to: '2026-11-02T00:00:00.000Z',
    })
  })

  it('lies over this one, measure by measure', () => {
    const panel = (measure: 'temperature' | 'light', at: number) => ({
      measure,
      label: '',
      unit: '',
      decimals: 0,
      points: [{ at, min: 1, avg: 2, max: 3 }],
      limits: [],
      excursions: [],
    })
    const [temperature, light] = compared(
      [panel('temperature', 150), panel('light', 150)],
      [panel('temperature', 50)],
      100,
    )
    expect(temperature?.previous).toEqual([{ at: 150, min: 1, avg: 2, max: 3 }])
    expect(light?.previous).toBeUndefined()
  })
})
