import { describe, expect, test } from 'vitest'
import { rulesOf } from '../../domain/rules.ts'
import type { ChartRow } from './chart-queries.ts'
import { columnsOf } from './chart-series.ts'
import { bandsOf, bucketFor } from './draw-chart.ts'

const minute = 60_000
const row = (at: number, more: Partial<ChartRow> = {}): ChartRow => ({
  at,
  n: 1,
  first: at,
  last: at,
  gapMs: 0,
  temperatureMin: 500,
  temperatureAvg: 500,
  temperatureMax: 500,
  humidityMin: null,
  humidityAvg: null,
  humidityMax: null,
  batteryPct: null,
  lightLux: null,
  ...more,
})
/** Ten minutes, then an hour, from 100 min on. */
const rules = rulesOf(
  [],
  [
    { from: Number.NEGATIVE_INFINITY, intervalS: 600 },
    { from: 100 * minute, intervalS: 3600 },
  ],
)

describe('bucketFor', () => {
  test.each([
    [86_400_000, 500, 180],
    [3_600_000, 500, 10],
    [7 * 86_400_000, 500, 1800],
    [30 * 86_400_000, 500, 7200],
    [365 * 86_400_000, 500, 64_800],
    [0, 10, 10],
  ])('%i ms in %i points is %i s', (periodMs, points, widthS) => {
    expect(bucketFor(periodMs, points)).toBe(widthS)
  })

  test('there are never more buckets than points', () => {
    for (const points of [10, 77, 500, 2000])
      for (let periodMs = 60_000; periodMs < 800 * 86_400_000; periodMs = Math.floor(periodMs * 1.7))
        expect(periodMs / 1000 / bucketFor(periodMs, points)).toBeLessThanOrEqual(points)
  })
})

describe('columnsOf', () => {
  test('a gap is judged by the interval of its time', () => {
    const at = [0, 30, 61, 101, 281, 462].map((minutes) => minutes * minute)
    const { atMs, gaps, temperature } = columnsOf(
      at.map((each) => row(each)),
      rules,
      true,
    )
    expect(gaps.map(({ from }) => Date.parse(from) / minute)).toEqual([30, 61, 281])
    expect(temperature.avg.filter((value) => value === null)).toHaveLength(3)
    expect(atMs).toHaveLength(9)
  })

  test('buckets with the hour between them empty are no gap while the rollups know of none', () => {
    const hour = 60 * minute
    const bucket = (start: number, gapMs: number) => row(start, { first: start, last: start + hour, gapMs })
    const slow = rulesOf([], [{ from: Number.NEGATIVE_INFINITY, intervalS: 7200 }])
    expect(columnsOf([bucket(0, 2 * hour), bucket(2 * hour, 0)], slow, false).gaps).toEqual([])
    expect(columnsOf([bucket(0, 7 * hour), bucket(7 * hour, 0)], slow, false).gaps).toHaveLength(1)
  })

  test('values are in degrees, rounded to hundredths', () => {
    const { temperature, humidity } = columnsOf(
      [row(0, { temperatureMin: -1, temperatureAvg: 333.3333, temperatureMax: 1234 })],
      rules,
      true,
    )
    expect([temperature.min, temperature.avg, temperature.max]).toEqual([[-0.01], [3.33], [12.34]])
    expect(humidity.avg).toEqual([null])
  })
})

test('bands are cut to the period, and limits that came later or earlier are outside it', () => {
  const limits = [10, 20, 30, 40].map((from, i) => ({
    from: from * minute,
    temperatureMin: 200,
    temperatureMax: 800 + i * 100,
    humidityMin: null,
    humidityMax: null,
  }))
  const bands = bandsOf({ limits, from: 25 * minute, to: 40 * minute })
  expect(
    bands.map((band) => [Date.parse(band.from) / minute, Date.parse(band.to) / minute, band.temperatureMaxC]),
  ).toEqual([
    [25, 30, 9],
    [30, 40, 10],
  ])
})
