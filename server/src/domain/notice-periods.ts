import { dayMs, instantAt, wallAt, weekdayOf } from '@isotherm/contract/zone-times.ts'

/** The time within which a carrier is told of a damage that was not apparent. */
export interface NoticeRule {
  noticeDays: number
  /** Sundays do not count. Holidays do not either by law, but they are not known here: the period that is told is the shorter one. */
  skipsSundays: boolean
  /** Days to complain of a delay; null: none is stated. */
  delayDays: number | null
  /** Months after which a claim is barred. */
  barredMonths: number
  source: string
}

/** By the convention that governs a carriage. Checked 2026-11; never legal advice. */
export const noticeRules = {
  cmr: { noticeDays: 7, skipsSundays: true, delayDays: 21, barredMonths: 12, source: 'CMR 1956, art. 30, 32' },
  cim: {
    noticeDays: 7,
    skipsSundays: false,
    delayDays: 60,
    barredMonths: 12,
    source: 'COTIF/CIM 1999, art. 47, 48',
  },
  montreal: {
    noticeDays: 14,
    skipsSundays: false,
    delayDays: 21,
    barredMonths: 24,
    source: 'Montreal 1999, art. 31, 35',
  },
  hagueVisby: {
    noticeDays: 3,
    skipsSundays: false,
    delayDays: null,
    barredMonths: 12,
    source: 'Hague-Visby, art. III.6',
  },
  hamburg: {
    noticeDays: 15,
    skipsSundays: false,
    delayDays: 60,
    barredMonths: 24,
    source: 'Hamburg 1978, art. 19 and 20',
  },
} as const satisfies Record<string, NoticeRule>

/** The rule of a convention, or the days that a company has agreed with its carriers (`own`). */
export const noticeRuleOf = (
  carriage: keyof typeof noticeRules | 'own',
  ownDays: number,
): Pick<NoticeRule, 'noticeDays' | 'skipsSundays'> & { source: string | null } =>
  carriage === 'own' ? { noticeDays: ownDays, skipsSundays: false, source: null } : noticeRules[carriage]

/** The convention that usually governs a carriage between countries by the sea, the air, the railway or the road. */
export const usualCarriage = { sea: 'hagueVisby', air: 'montreal', rail: 'cim', road: 'cmr' } as const

const sunday = 7

/** The end of the last day of notice, in the zone of the place, for goods that were handed over at an instant (ms). The day itself does not count. */
export function noticeUntil(
  handedOverAt: number,
  zone: string,
  { noticeDays, skipsSundays }: Pick<NoticeRule, 'noticeDays' | 'skipsSundays'>,
): number {
  let day = Math.floor(wallAt(handedOverAt, zone) / dayMs) * dayMs
  for (let left = noticeDays; left > 0; ) {
    day += dayMs
    if (!skipsSundays || weekdayOf(day) !== sunday) left -= 1
  }
  return instantAt(day + dayMs, zone) - 1
}
