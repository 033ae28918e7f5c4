// @vitest-environment page
import type { Group } from '@isotherm/contract/groups.ts'
import { afterEach, expect, test } from 'vitest'
import { eventually, find, leave, logInAs, serve, show } from '../../test/show.tsx'
import { StatsTable } from './stats-table.tsx'

afterEach(leave)
logInAs('admin')
const point = { value: 4.2, at: '2026-11-20T10:00:00Z', judgement: 'inRange' }
const stats = {
  ...{
    count: 1200,
    coveredMs: 3_600_000,
    coverage: 1,
    min: point,
    max: point,
    average: 4.2,
    mkt: null,
    verdict: 'inRange',
  },
  ...{
    aboveMs: 0,
    belowMs: 0,
    unjudgedMs: 0,
    longestGap: null,
    excursions: { count: 0, longest: null, shortest: null },
  },
}
serve(() => ({
  payload: {
    data: [{ device: { id: '7', name: 'Van 3' }, stats }],
    meta: { page: 1, perPage: 50, total: 1, pageCount: 1 },
    totals: { ...stats, devices: 1, verdicts: {} },
  },
}))

test('numbers of the statistics stand at the right, so that their digits are below each other', async () => {
  const period = { from: '2026-11-20T00:00:00Z', to: '2026-11-21T00:00:00Z' }
  await show(<StatsTable group={{ id: '1', name: 'Vans' } as Group} period={period} measure="temperature" />, {
    texts: ['groups', 'stats'],
  })
  await find('td', 'Van 3')
  await eventually(() => {
    const aligned = [...document.querySelectorAll<HTMLElement>('tbody tr td')].map(({ style }) => style.textAlign)
    expect(aligned).toEqual(['', '', ...Array(7).fill('right')])
  })
})
