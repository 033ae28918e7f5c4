import { dayMs } from '@isotherm/contract/zone-times.ts'
import { expect, test } from 'vitest'
import { type RanUnpaid, unpaidDays } from './unpaid-days.ts'

const end = new Date('2027-03-10T09:30:00Z')
const day = (days: number) => new Date(end.getTime() + days * dayMs)
const ran = (given: Partial<RanUnpaid>): RanUnpaid => ({
  ...{ state: 'expired', period_end: end, ended_at: day(14), unpaid_from: null },
  ...given,
})

test.each<[string, Partial<RanUnpaid>, number, number]>([
  ['that is paid has none', { state: 'active', ended_at: null }, 5, 0],
  ['that is due has those until now', { state: 'past_due', ended_at: null }, 5, 5],
  ['that was held up has no more than the days of grace', { state: 'past_due', ended_at: null }, 40, 14],
  ['that expired has all of them, however much later somebody pays', {}, 45, 14],
  ['that was cancelled in them has those before', { state: 'cancelled', ended_at: day(5) }, 6, 5],
  ['that ended with its period has none', { state: 'cancelled', ended_at: day(0) }, 6, 0],
  ['that was ended before has none', { state: 'cancelled', ended_at: day(-8) }, 6, 0],
  ['of which some are counted has the others', { unpaid_from: day(5) }, 20, 9],
  ['of which all are counted has none', { unpaid_from: day(14) }, 20, 0],
  ['that is not owed any more has none', {}, 61, 0],
])('a subscription %s', (_, given, today, days) => {
  expect(unpaidDays(ran(given), day(today)).ms / dayMs).toBe(days)
})
