import { expect, test } from 'vitest'
import { isSameVerdict } from './same-verdict.ts'

type Facts = Parameters<typeof isSameVerdict>[0]
const signed: Facts = {
  ...{ verdict: 'inRange', outMs: 0, budget: { state: 'ok', leftPct: 80 } },
  worst: { temperatureC: 7.2, at: '2026-11-20T08:00:00.000Z', isOutside: false },
}
const worst = (temperatureC: number, isOutside = false) => ({
  worst: { temperatureC, isOutside, at: '2026-11-20T09:00:00.000Z' },
})

test.each<[string, Partial<Facts>, boolean]>([
  ['nothing else', {}, true],
  ['the same worst value at another time', worst(7.2), true],
  ['a worst value that is shown alike', worst(7.25), true],
  ['another worst value', worst(7.3), false],
  ['a worst value beyond the limits', worst(7.2, true), false],
  ['no value any more', { worst: null }, false],
  ['half a minute out of range', { outMs: 30_000 }, true],
  ['more than half a minute out of range', { outMs: 30_001 }, false],
  ['a minute out of range', { outMs: 60_000 }, false],
  ['another verdict', { verdict: 'incomplete' }, false],
  ['less of the budget', { budget: { state: 'ok', leftPct: 60 } }, true],
  ['a budget that is used up', { budget: { state: 'spent', leftPct: 0 } }, false],
])('%s', (_, more, isSame) => {
  expect(isSameVerdict(signed, { ...signed, ...more })).toBe(isSame)
})

test('conditions without a value stay as they are', () => {
  const empty: Facts = { verdict: 'noData', worst: null, outMs: 0, budget: null }
  expect(isSameVerdict(empty, { ...empty })).toBe(true)
  expect(isSameVerdict(empty, signed)).toBe(false)
})

test('a value where somebody signed for none is another', () => {
  expect(isSameVerdict({ ...signed, worst: null }, signed)).toBe(false)
})

test('the same time out of range stays the same, however long it is; a shorter one is another', () => {
  const long = { ...signed, outMs: 3_600_000 }
  expect(isSameVerdict(long, { ...long })).toBe(true)
  expect(isSameVerdict(long, { ...long, outMs: 3_540_000 })).toBe(false)
})
