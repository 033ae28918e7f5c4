import type { Chart } from '@isotherm/contract/device-history.ts'
import { expect, test } from 'vitest'
import { playbackMarks } from './playback-marks.ts'
import { pastStop } from './use-player.ts'

const iso = (ms: number) => new Date(ms).toISOString()
const series = { min: [2, null, 8, 4], avg: [2, null, 8, 4], max: [2, null, 8, 4] }
const excursion = {
  id: '1',
  measure: 'temperature',
  side: 'above',
  peak: 9,
  peakAt: iso(0),
  cause: null,
  note: null,
} as const
const chart: Chart = {
  bucketS: 0,
  atMs: [0, 250, 500, 1000],
  temperature: series,
  humidity: series,
  batteryPct: null,
  lightLux: null,
  limits: [],
  excursions: [
    { ...excursion, startAt: iso(-500), endAt: iso(250) },
    { ...excursion, startAt: iso(900), endAt: null },
    { ...excursion, startAt: iso(-900), endAt: iso(-800) },
    { ...excursion, measure: 'humidity', startAt: iso(100), endAt: iso(200) },
  ],
  gaps: [],
}
const marks = playbackMarks({
  from: 0,
  to: 1000,
  chart,
  stops: [{ from: iso(100), to: iso(300), lat: 1, lon: 2, fixes: 5, placeName: 'Lagos' }],
})

test('excursions are cut to the journey, and one that lasts reaches its end', () => {
  expect(marks.excursions.map(({ start, width }) => [start, width])).toEqual([
    [0, 0.25],
    [0.9, expect.closeTo(0.1)],
  ])
})

test('stops tell how long and where', () => {
  expect(marks.stops).toEqual([
    { start: 0.1, width: expect.closeTo(0.2), at: 100, durationMs: 200, placeName: 'Lagos' },
  ])
})

test('the line rises with the temperature and breaks where the device was silent', () => {
  expect(marks.line).toBe('M0.0 98.0M500.0 2.0L1000.0 66.0')
})

test('the value at a moment is the nearest one, or none in a silence', () => {
  expect([0, 240, 600, 2000].map(marks.temperatureAt)).toEqual([2, null, 8, 4])
})

test('before the chart is there only the path can be played', () => {
  const bare = playbackMarks({ from: 0, to: 10, chart: undefined, stops: [] })
  expect([bare.line, bare.excursions, bare.temperatureAt(5)]).toEqual(['', [], null])
})

test('skipping stops goes on from their end, one after the other', () => {
  const stop = (at: number, durationMs: number) => ({ at, durationMs, start: 0, width: 0, placeName: null })
  const stops = [stop(100, 50), stop(150, 20), stop(300, 10)]
  expect(pastStop(stops, 99)).toBe(99)
  expect(pastStop(stops, 120)).toBe(170)
  expect(pastStop(stops, 170)).toBe(170)
  expect(pastStop(stops, 305)).toBe(310)
})
