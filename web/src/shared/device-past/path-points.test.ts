import { describe, expect, it } from 'vitest'
import { pathOf } from './path-points.ts'

const fix = (minute: number, temperature: 'inRange' | 'above' | null = 'inRange') => ({
  at: new Date(minute * 60_000).toISOString(),
  lat: 6.5,
  lon: 3.4,
  temperatureC: 5,
  humidityPct: null,
  temperature,
})

describe('pathOf', () => {
  it('keeps pieces apart: nothing is known of the way from one to the next', () => {
    const path = pathOf({
      segments: [
        [fix(0), fix(5), fix(20)],
        [fix(60), fix(65)],
      ],
      leftOut: 0,
    })
    expect(path.points.map(({ afterGap }) => afterGap ?? false)).toEqual([false, false, false, true, false])
  })

  it('colours a point by the judgement of its time', () => {
    const { points } = pathOf({ segments: [[fix(0), fix(5, 'above'), fix(6, null)]], leftOut: 0 })
    expect(points.map(({ state }) => state)).toEqual(['ok', 'warm', undefined])
  })
})
