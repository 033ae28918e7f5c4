import { expect, test } from 'vitest'
import { chartWindow } from './chart-window.ts'

const hour = 3_600_000
const startAt = '2026-11-20T12:00:00.000Z'
const at = (hours: number) => new Date(Date.parse(startAt) + hours * hour).toISOString()
const later = Date.parse(startAt) + 1000 * hour

test('an excursion is shown with as much again on both sides', () => {
  expect(chartWindow({ startAt, durationMs: 10 * hour }, later)).toEqual({ from: at(-10), to: at(20) })
})

test('a short one with three hours', () => {
  expect(chartWindow({ startAt, durationMs: 60_000 }, later)).toEqual({ from: at(-3), to: at(3 + 1 / 60) })
})

test('nothing after now is shown, and the period is never empty', () => {
  expect(chartWindow({ startAt, durationMs: 2 * hour }, Date.parse(at(2)))).toEqual({ from: at(-3), to: at(2) })
  expect(chartWindow({ startAt, durationMs: 0 }, Date.parse(startAt)).to > startAt).toBe(true)
})
