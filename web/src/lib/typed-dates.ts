import type { Locale } from '@isotherm/contract/common.ts'
import { timeFormat, writeClock, writeDate } from '@isotherm/contract/times.ts'

/** "2026-11-20" or "2026-11-20T14:03": a day, or a time by the clock of a zone that is known from elsewhere. */
export type LocalMoment = string

export const isLocalMoment = (text: string): boolean => /^\d{4}-\d\d-\d\d(T\d\d:\d\d)?$/.test(text)

/** "20 Nov 2026" or "20 Nov 2026, 14:03", as times are written everywhere else. */
export function writeMoment(moment: LocalMoment, locale: Locale): string {
  const at = new Date(`${moment.slice(0, 10)}T${moment.slice(11) || '00:00'}Z`)
  const date = writeDate(locale, 'UTC', at)
  return moment.length > 10 ? `${date}, ${writeClock(locale, 'UTC', at)}` : date
}

interface Reading {
  locale: Locale
  withTime: boolean
  /** The present year stands for one that is left out; null while somebody still types. */
  yearIfNone: number | null
  /** The clock that stands for one that is left out. */
  clockIfNone?: string
}

/** Words between the parts, as in "20 de noviembre" and "14h03". */
const fillers = new Set(['de', 'h', 't'])

/**
 * The moment in what somebody typed: "20/11/2026 14:03", "20 nov 2026", "20.11.26", "2026-11-20T14:03". The day comes before
 * the month, as it is written. Null where it is none.
 */
export function readMoment(text: string, reading: Reading): LocalMoment | null {
  const typed = plain(text)
  // A colon or an "h" makes a clock, also where the year before it is left out.
  const clockAt = typed.search(/(?<!\d)\d{1,2}\s*[:h]/)
  const clock = clockAt < 0 ? null : typed.slice(clockAt).match(/^(\d{1,2})\s*[:h]\s*(\d\d)?\s*$/)
  if (clockAt >= 0 && !clock) return null
  const parts = typed.slice(0, clock ? clockAt : undefined).match(/\d+|[^\W\d_]+/gu) ?? []
  const words = parts.filter((part) => !/^\d/.test(part) && !fillers.has(part))
  const numbers = parts.filter((part) => /^\d/.test(part))
  const month = words.length === 1 ? monthOf(words[0] ?? '', reading.locale) : null
  if (words.length > 1 || (words.length === 1 && month === null)) return null
  if (month !== null) numbers.splice(numbers[0]?.length === 4 ? 1 : Math.min(1, numbers.length), 0, String(month))
  const isYearFirst = numbers[0]?.length === 4
  const [first, second, third, ...rest] = numbers
  if (clock && rest.length > 0) return null
  const time = clock ? [clock[1], clock[2]].filter((part) => part !== undefined) : rest
  const [year, day] = isYearFirst ? [first, third] : [third, first]
  const date = dateOf(day, second, year, reading.yearIfNone)
  if (!date || !reading.withTime) return time.length === 0 ? date : null
  const isLeftOut = time.length === 0 && reading.yearIfNone !== null
  const hourAndMinute = isLeftOut ? (reading.clockIfNone ?? '00:00') : clockOf(time, reading.yearIfNone !== null)
  return hourAndMinute && `${date}T${hourAndMinute}`
}

const plain = (text: string) => text.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '')

/** 1 to 12, by the beginning of its name, where no other month begins so. */
function monthOf(word: string, locale: Locale): number | null {
  if (word.length < 3) return null
  const found = [...Array(12).keys()].filter((index) =>
    plain(timeFormat(locale, 'UTC', { month: 'long' }).format(Date.UTC(2026, index, 1))).startsWith(word),
  )
  const short = [...Array(12).keys()].filter((index) => {
    const name = timeFormat(locale, 'UTC', { day: 'numeric', month: 'short' })
      .formatToParts(Date.UTC(2026, index, 1))
      .find(({ type }) => type === 'month')?.value
    return plain(name ?? '').replace('.', '') === word
  })
  const index = short[0] ?? (found.length === 1 ? found[0] : undefined)
  return index === undefined ? null : index + 1
}

function dateOf(day = '', month = '', year = '', yearIfNone: number | null): string | null {
  const isShort = yearIfNone !== null && (year === '' || year.length === 2)
  if (year.length !== 4 && !isShort) return null
  const fullYear = year === '' ? Number(yearIfNone) : year.length === 2 ? 2000 + Number(year) : Number(year)
  const at = new Date(Date.UTC(fullYear, Number(month) - 1, Number(day)))
  at.setUTCFullYear(fullYear)
  const isReal = day !== '' && month !== '' && at.getUTCDate() === Number(day) && at.getUTCMonth() === Number(month) - 1
  return isReal ? at.toISOString().slice(0, 10) : null
}

/** "14:03" of 14 and 03, or of 1403; where that will do, the full hour of 14. */
function clockOf(given: string[], mayBeShort: boolean): string | null {
  if (given.length > 2) return null
  const [hour, minute] = given[0]?.length === 4 ? [given[0].slice(0, 2), given[0].slice(2)] : given
  if (!mayBeShort && (hour === undefined || minute?.length !== 2)) return null
  const [hours, minutes] = [Number(hour ?? 0), Number(minute ?? 0)]
  if (hours > 23 || minutes > 59) return null
  return `${String(hours).padStart(2, '0')}:${String(minutes).padStart(2, '0')}`
}
