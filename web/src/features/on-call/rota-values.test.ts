import { expect, test } from 'vitest'
import { bodyOf, moved, valuesOf } from './rota-values.ts'

test('people change places one by one, and stay within the list', () => {
  expect(moved(['a', 'b', 'c'], 0, 1)).toEqual(['b', 'a', 'c'])
  expect(moved(['a', 'b', 'c'], 2, -1)).toEqual(['a', 'c', 'b'])
  expect(moved(['a', 'b', 'c'], 0, -1)).toEqual(['a', 'b', 'c'])
  expect(moved(['a', 'b', 'c'], 2, 1)).toEqual(['a', 'b', 'c'])
})

test('a new rota begins today and is handed over on Mondays; its body has the people in their order', () => {
  const values = valuesOf(undefined, '2026-11-20')
  expect(values).toMatchObject({ startsOn: '2026-11-20', weekday: '1', time: '08:00', people: [] })
  const people = [
    { id: '8', name: 'Ben' },
    { id: '7', name: 'Ada' },
  ]
  expect(bodyOf({ ...values, name: ' Nights ', people })).toEqual({
    ...{ name: 'Nights', people: ['8', '7'], weekday: 1, time: '08:00', startsOn: '2026-11-20' },
  })
})
