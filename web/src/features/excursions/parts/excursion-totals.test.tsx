// @vitest-environment page
import type { ExcursionTotals as Totals } from '@isotherm/contract/excursions.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { eventually, find, isShown, leave, logInAs, press, serve, show } from '../../../test/show.tsx'
import { ExcursionTotals } from './excursion-totals.tsx'

const minute = 60_000
const total = (count: number, minutes: number, longest: number) => ({
  ...{ count, outMs: minutes * minute },
  longestMs: longest * minute,
})
const payload: Totals = {
  all: total(9, 300, 45),
  devices: ['Van', 'Box', 'Hall', 'Shelf'].map((name, i) => ({
    ...total(4 - i, 90, 45),
    device: { id: `${i}`, name },
  })),
  deviceCount: 4,
  causes: [
    { ...total(5, 200, 45), cause: null },
    { ...total(4, 100, 30), cause: { key: 'doorOpen', name: 'Door open' } },
  ],
}
const period = { from: '2026-11-01T00:00:00.000Z', to: '2026-11-30T00:00:00.000Z' }

beforeEach(() => logInAs('manager'))
afterEach(leave)

test('the sum stands above the worst devices; all are shown on demand; a cause leads to its excursions', async () => {
  const causes: string[] = []
  const requests = serve(() => ({ payload }))
  const totals = <ExcursionTotals query={{ ...period, side: 'above' }} onCause={(key) => causes.push(key)} />
  await show(totals, { texts: ['excursions'] })
  await eventually(() => expect(isShown('9 excursions, 5\u00a0hr outside, the longest 45\u00a0min')).toBe(true))
  expect(requests[0]?.path).toContain('side=above')
  expect([isShown('Hall'), isShown('Shelf')]).toEqual([true, false])
  await press('Show all 4')
  await eventually(() => expect(isShown('Shelf')).toBe(true))
  expect((await find('a', 'Van')).getAttribute('href')).toContain('/devices/0/excursions')
  await press('Door open')
  await press('Without a cause')
  expect(causes).toEqual(['doorOpen', 'none'])
})

test('where nothing was outside there is nothing', async () => {
  const requests = serve(() => ({ payload: { ...payload, all: total(0, 0, 0) } }))
  await show(<ExcursionTotals query={period} onCause={() => {}} />, { texts: ['excursions'] })
  await eventually(() => expect(requests).toHaveLength(1))
  await eventually(() => expect(document.querySelector('table')).toBeNull())
})
