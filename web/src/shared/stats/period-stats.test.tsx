// @vitest-environment page
import type { MeasureStats } from '@isotherm/contract/stats.ts'
import { afterEach, expect, test } from 'vitest'
import { find, isShown, leave, logInAs, serve, show } from '../../test/show.tsx'
import { PeriodStats } from './period-stats.tsx'

const period = { from: '2026-11-19T12:00:00.000Z', to: '2026-11-20T12:00:00.000Z' }
const figures = (more: object): MeasureStats =>
  ({
    ...{ count: 0, coveredMs: 0, coveragePct: 0, longestGap: null, min: null, max: null, average: null, mkt: null },
    ...{ aboveMs: 0, belowMs: 0, unjudgedMs: 0, verdict: 'noData', excursions: { count: 0, longest: null } },
    ...more,
  }) as unknown as MeasureStats

async function open(since: string, temperature: MeasureStats) {
  const requests = serve(() => ({ payload: { temperature, humidity: figures({}) } }))
  await show(<PeriodStats deviceId="7" period={period} since={since} />, { texts: ['stats'] })
  await find('dt, span, div', 'Coverage')
  return decodeURIComponent(requests[0]?.path ?? '')
}

afterEach(leave)
logInAs('admin')

test('a device that was set up within the period is judged from then on', async () => {
  const gap = { from: '2026-11-20T11:00:00.000Z', to: '2026-11-20T12:00:00.000Z', ms: 3_600_000 }
  const since = '2026-11-20T10:00:00.000Z'
  const asked = await open(since, figures({ count: 6, coveragePct: 50, longestGap: gap }))
  expect(asked).toContain(`from=${since}`)
  expect(isShown('set up 20 Nov 2026')).toBe(true)
})

test('of a device with one reading nothing is said that sounds like a failure', async () => {
  await open('2026-11-20T11:59:00.000Z', figures({ count: 1, longestGap: { ...period, ms: 60_000 } }))
  expect([isShown('Too new to say'), isShown('0 %')]).toEqual([true, false])
})

test('an older device is judged by the whole period', async () => {
  const asked = await open('2026-01-01T00:00:00.000Z', figures({ count: 1, longestGap: { ...period, ms: 60_000 } }))
  expect(asked).toContain(`from=${period.from}`)
  expect(isShown('Too new to say')).toBe(false)
})
