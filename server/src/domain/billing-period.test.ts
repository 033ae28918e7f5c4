import { localTimeOf } from '@isotherm/contract/zone-times.ts'
import { describe, expect, test } from 'vitest'
import { type Cadence, periodOf } from './billing-period.ts'

const starts = (anchor: string, cadence: Cadence, zone: string, count: number) =>
  Array.from({ length: count }, (_, cycle) =>
    localTimeOf(periodOf(new Date(anchor), 0, cycle, cadence, zone).start.toISOString(), zone),
  )

describe('periods', () => {
  test('that begin on 31 January in Lagos begin on the last day of each month', () => {
    // 00:30 in Lagos is 23:30 of the day before in UTC.
    expect(starts('2026-01-30T23:30:00Z', 'monthly', 'Africa/Lagos', 6)).toEqual([
      '2026-01-31T00:30',
      '2026-02-28T00:30',
      '2026-03-31T00:30',
      '2026-04-30T00:30',
      '2026-05-31T00:30',
      '2026-06-30T00:30',
    ])
  })

  test('of a year that begin on 29 February do so again in the next leap year', () => {
    expect(starts('2024-02-29T12:00:00Z', 'annually', 'Africa/Lagos', 5)).toEqual([
      '2024-02-29T13:00',
      '2025-02-28T13:00',
      '2026-02-28T13:00',
      '2027-02-28T13:00',
      '2028-02-29T13:00',
    ])
  })

  test.each([
    ['Europe/Paris', '2026-01-29T01:30:00Z'],
    ['America/New_York', '2026-01-08T07:30:00Z'],
  ])('in %s begin at the same time of the clock before and after it is changed', (zone, anchor) => {
    const times = starts(anchor, 'monthly', zone, 12).map((time) => time.slice(11))
    // At 02:30 of the day on which clocks skip that hour it begins an hour later.
    expect(new Set(times)).toEqual(new Set(['02:30', ...(times.includes('03:30') ? ['03:30'] : [])]))
    expect(times.filter((time) => time === '03:30').length).toBeLessThanOrEqual(1)
  })

  test.each(['Africa/Lagos', 'Europe/Paris', 'America/New_York'])('in %s follow one another without a gap', (zone) => {
    for (const cadence of ['monthly', 'annually'] as const)
      for (const anchor of [
        '2024-01-31T00:30:00Z',
        '2024-02-29T23:59:59Z',
        '2025-10-26T00:30:00Z',
        '2025-11-02T05:30:00Z',
      ])
        for (let cycle = 0; cycle < 40; cycle++) {
          const { start, end } = periodOf(new Date(anchor), 0, cycle, cadence, zone)
          expect(end > start).toBe(true)
          expect(periodOf(new Date(anchor), 0, cycle + 1, cadence, zone).start).toEqual(end)
        }
  })

  test('begin at the anchor itself, to the second, in an hour that clocks show twice too', () => {
    const anchor = new Date('2025-10-26T01:30:15.250Z')
    expect(periodOf(anchor, 7, 7, 'monthly', 'Europe/Paris').start).toEqual(anchor)
    expect(periodOf(anchor, 7, 8, 'monthly', 'Europe/Paris').start.toISOString()).toBe('2025-11-26T01:30:15.250Z')
  })

  test('are counted from the cycle of the anchor', () => {
    expect(periodOf(new Date('2026-03-31T10:00:00Z'), 5, 6, 'monthly', 'UTC')).toEqual({
      start: new Date('2026-04-30T10:00:00Z'),
      end: new Date('2026-05-31T10:00:00Z'),
    })
  })
})
