import { expect, test } from 'vitest'
import { chartAround } from './chart-around.ts'

const hour = 3_600_000
const breachAt = '2026-11-20T12:00:00.000Z'
const at = (hours: number) => new Date(Date.parse(breachAt) + hours * hour).toISOString()

test('a trigger is shown with as much again on both sides, at least three hours', () => {
  expect(chartAround({ breachAt, normalAt: at(10) }, Date.parse(at(100)))).toEqual({ from: at(-10), to: at(20) })
  expect(chartAround({ breachAt, normalAt: at(1) }, Date.parse(at(100)))).toEqual({ from: at(-3), to: at(4) })
})

test('one that goes on is shown until now', () => {
  expect(chartAround({ breachAt, normalAt: null }, Date.parse(at(1)))).toEqual({ from: at(-3), to: at(1) })
})
