import { plusDays } from '@isotherm/contract/zone-times.ts'
import { currentLocale } from './i18n.ts'

export const calendarPeriods = ['today', 'yesterday', 'thisWeek', 'lastWeek', 'thisMonth', 'lastMonth'] as const
export type CalendarPeriod = (typeof calendarPeriods)[number]

/** 0 is Sunday, as `Date` counts. Monday where the browser does not know better; British English begins on Monday too. */
export function firstDayOfWeek(): number {
  const name = currentLocale() === 'en' ? 'en-gb' : currentLocale()
  const locale = new Intl.Locale(name) as Intl.Locale & { getWeekInfo?: () => { firstDay: number } }
  return (locale.getWeekInfo?.().firstDay ?? 1) % 7
}

/** The first and the last day of it, both included: "2026-11-16" to "2026-11-22". Today is the last day of what still runs. */
export function daysOf(period: CalendarPeriod, today: string, firstDay: number): { first: string; last: string } {
  const weekStart = plusDays(today, -((7 + weekdayOf(today) - firstDay) % 7))
  const firstOfMonth = `${today.slice(0, 7)}-01`
  const lastOfLastMonth = plusDays(firstOfMonth, -1)
  switch (period) {
    case 'today':
      return { first: today, last: today }
    case 'yesterday':
      return { first: plusDays(today, -1), last: plusDays(today, -1) }
    case 'thisWeek':
      return { first: weekStart, last: today }
    case 'lastWeek':
      return { first: plusDays(weekStart, -7), last: plusDays(weekStart, -1) }
    case 'thisMonth':
      return { first: firstOfMonth, last: today }
    case 'lastMonth':
      return { first: `${lastOfLastMonth.slice(0, 7)}-01`, last: lastOfLastMonth }
  }
}

const weekdayOf = (day: string) => new Date(`${day}T00:00Z`).getUTCDay()
