import { expect, test } from 'vitest'
import { forecastAt } from './time-to-breach.ts'

const at = '2026-11-20T10:00:00.000Z'
const made = Date.parse(at)
const forecast = {
  state: 'heading',
  side: 'above',
  limitC: 8,
  at,
  minutes: 25,
  lowMinutes: 15,
  highMinutes: 40,
} as const

test('a forecast counts down while no newer one is here, and is gone when its band is over', () => {
  expect(forecastAt(forecast, made)).toEqual({ side: 'above', limitC: 8, minutes: 25, low: 15, high: 40 })
  expect(forecastAt(forecast, made + 20 * 60_000)).toMatchObject({ minutes: 5, low: 0, high: 20 })
  expect(forecastAt(forecast, made + 40 * 60_000)).toBeNull()
})
test('a clock that runs behind adds nothing, and without a forecast there is nothing to say', () => {
  expect(forecastAt(forecast, made - 60_000)).toMatchObject({ minutes: 25 })
  expect(forecastAt({ state: 'notEnoughData' }, made)).toBeNull()
  expect(forecastAt(undefined, made)).toBeNull()
})
