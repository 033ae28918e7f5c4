import { expect, test } from 'vitest'
import { sampleReadings } from './samples.ts'

const day = 86_400_000
const start = Date.UTC(2026, 10, 23, 8)
const read = (from: number, to: number, intervalS = 300) =>
  sampleReadings('fridge', { after: new Date(from), until: new Date(to) }, intervalS, null)

test('any four days have some readings that are too warm, none far off, and most in range', () => {
  for (let from = start; from < start + 90 * day; from += 2.3 * day) {
    const values = read(from, from + 4 * day).map(({ temperatureC }) => temperatureC)
    expect(values).toHaveLength(4 * 288)
    expect(Math.max(...values)).toBeGreaterThan(8)
    expect(Math.max(...values)).toBeLessThan(14)
    expect(Math.min(...values)).toBeGreaterThan(2)
    expect(values.filter((value) => value > 8).length).toBeLessThan(60)
  }
})

test('it says the same of an instant, in however many questions it is asked', () => {
  const whole = read(start, start + day)
  const middle = start + 0.4 * day
  expect([...read(start, middle), ...read(middle, start + day)]).toEqual(whole)
})

test('it stands where it is put, and without a place it sends none', () => {
  const fixes = sampleReadings('fridge', { after: new Date(start), until: new Date(start + day) }, 300, {
    ...{ lat: -1.28, lon: 36.82 },
  }).filter(({ lat }) => lat !== undefined)
  expect(fixes.length).toBeGreaterThan(10)
  for (const { lat = 0, lon = 0 } of fixes) {
    expect(Math.abs(lat + 1.28)).toBeLessThan(0.01)
    expect(Math.abs(lon - 36.82)).toBeLessThan(0.01)
  }
  expect(read(start, start + day).some(({ lat, lon }) => lat !== undefined || lon !== undefined)).toBe(false)
})
