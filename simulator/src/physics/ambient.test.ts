import { expect, test } from 'vitest'
import { ambientAt, daylightLux, saturationHpa, seasonal, solarHour } from './ambient.ts'

const hours = (day: number) => Array.from({ length: 24 }, (_, hour) => day / 1000 + hour * 3600)
const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
const warmth = (lat: number, lon: number, month: number) =>
  mean(
    [4, 9, 14, 19, 24]
      .flatMap((day) => hours(Date.UTC(2026, month, day)))
      .map((at) => ambientAt(lat, lon, at).temperatureC),
  )

test('each place has the warmth of its season', () => {
  expect(warmth(-26.2, 28.05, 6)).toBeLessThan(14)
  expect(warmth(-26.2, 28.05, 0)).toBeGreaterThan(17)
  expect(warmth(6.5, 3.4, 2)).toBeGreaterThan(27)
  expect(warmth(-1.29, 36.82, 6)).toBeLessThan(20)
})

test('afternoons are warmer and drier than nights', () => {
  const day = hours(Date.UTC(2026, 10, 18)).map((at) => ambientAt(9.06, 7.49, at))
  expect(day[14]!.temperatureC).toBeGreaterThan(day[4]!.temperatureC + 6)
  expect(day[14]!.humidityPct).toBeLessThan(day[4]!.humidityPct)
})

test('the sun is up by day only', () => {
  const noon = Date.UTC(2026, 10, 18, 12) / 1000
  expect(solarHour(0, noon)).toBe(12)
  expect(daylightLux(0, noon)).toBeGreaterThan(8000)
  expect(daylightLux(0, noon + 12 * 3600)).toBe(0)
})

test('saturation pressure is the known one at 20 C, and the year closes on itself', () => {
  expect(saturationHpa(20)).toBeCloseTo(23.3, 0)
  const monthly = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]
  const turn = Date.UTC(2026, 0, 1) / 1000
  expect(Math.abs(seasonal(monthly, turn - 60) - seasonal(monthly, turn + 60))).toBeLessThan(0.01)
})
