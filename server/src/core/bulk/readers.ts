import { localeNames } from '@isotherm/contract/common.ts'
import type { Message } from '@isotherm/contract/errors.ts'
import { foldName } from '../../platform/gazetteer/fold-name.ts'
import { type SheetCell, sheetRule } from '../../platform/sheets/sheet.ts'
import type { NameIn, Read, ReadBy, Reader } from './bulk-rules.ts'

type Cell = Exclude<SheetCell, null>
type Good = string | number | boolean | Date

const dayMs = 86_400_000
/** Day 0 of spreadsheets, so that their 1 March 1900 and all days after it are right. */
const serialZero = Date.UTC(1899, 11, 30)
/** Numbers of days that are taken for days: the years 2000 to 2099. */
const [firstSerial, lastSerial] = [36_526, 73_050]

const fault = (name: string, values: Message['values'] = {}): Read => ({ message: sheetRule(name, values) })

/** The text of a cell as a person sees it. */
export function textOf(cell: Cell): string {
  if (cell instanceof Date) return writtenTime(cell.getTime())
  if (typeof cell === 'object') return cell.text
  return String(cell)
}

const good =
  (read: (cell: Good, by: ReadBy) => Read): Reader =>
  (cell, by) =>
    typeof cell === 'object' && !(cell instanceof Date)
      ? fault(cell.fault, cell.fault === 'formula' ? { sign: cell.text.charAt(0) } : { text: cell.text })
      : read(cell, by)

/** Any text, in the form that texts are kept in; numbers as they are written. */
export const words = good((cell) =>
  cell instanceof Date ? fault('notADay') : { value: String(cell).trim().normalize('NFC') },
)

/** A number that a spreadsheet has rounded and written in powers of ten. */
const shortened = /^[+-]?\d+(?:[.,]\d+)?e[+-]?\d+$/i

/** A reference: its zeros in front and its last digits matter, so a number is refused. */
export const code = good((cell) => {
  if (typeof cell === 'number') return fault('codeAsNumber')
  if (typeof cell !== 'string') return fault('notADay')
  return shortened.test(cell) ? fault('shortened') : { value: cell.trim().normalize('NFC') }
})

/** A number of digits alone, such as an IMEI: a spreadsheet takes it for a number, and leaves out the zeros in front. */
export const digits = (...lengths: readonly number[]): Reader =>
  good((cell) => {
    if (typeof cell === 'string') return shortened.test(cell) ? fault('shortened') : { value: cell.trim() }
    if (typeof cell !== 'number' || !Number.isSafeInteger(cell) || cell < 0) return fault('shortened')
    const written = String(cell)
    if (lengths.includes(written.length)) return { value: written }
    // One zero is what usually goes; the check digit says whether it was one.
    return { value: lengths.includes(written.length + 1) ? `0${written}` : written }
  })

const spaces = /[\s\u00a0\u202f](?=\d{3}(?:\D|$))/g

/** A number with a point or a comma. "1.234" may be a thousand and more or one and a part: that is asked, not guessed. */
export const decimal = good((cell) => {
  if (typeof cell === 'number') return Number.isFinite(cell) ? { value: cell } : fault('notANumber')
  if (typeof cell !== 'string') return fault('notANumber')
  const text = cell.replace(spaces, '').replace(/^\u2212/, '-')
  if (!/^[+-]?\d+(?:[.,]\d+)?$/.test(text)) return fault('notANumber')
  if (/^[+-]?[1-9]\d{0,2}[.,]\d{3}$/.test(text)) return fault('whichNumber')
  return { value: Number(text.replace(',', '.')) }
})

export const whole = good((cell, by) => {
  const read = decimal(cell, by)
  return 'value' in read && !Number.isInteger(read.value) ? fault('notWhole') : read
})

const two = (number: number) => String(number).padStart(2, '0')
const writtenDay = (year: number, month: number, day: number): string | null => {
  const at = new Date(Date.UTC(year, month - 1, day))
  const isDay = at.getUTCFullYear() === year && at.getUTCMonth() === month - 1 && at.getUTCDate() === day
  return isDay && year >= 1900 && year < 2200 ? `${year}-${two(month)}-${two(day)}` : null
}
/** A time that was counted as if it were UTC, to the minute. */
const writtenTime = (at: number): string => new Date(Math.round(at / 60_000) * 60_000).toISOString().slice(0, 16)

const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ](.+))?$/
const national = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})(?:[T ,]+(.+))?$/
const clock = /^(\d{1,2})[:hH](\d{2})(?::(\d{2})(?:\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?$/

/** The day and the time that a text shows, in the order that was chosen. */
function written(text: string, { dateOrder }: ReadBy): { day: string; time: string | null } | { message: Message } {
  const bad = () => ({ message: sheetRule('notADate') })
  const byIso = iso.exec(text)
  const byNation = byIso ? null : national.exec(text)
  if (!byIso && !byNation) return bad()
  if (byNation && dateOrder === 'iso') return { message: sheetRule('whichDate') }
  const [, first = '', second = '', third = '', rest] = (byIso ?? byNation) as RegExpExecArray
  const [year, month, date] = byIso
    ? [first, second, third]
    : dateOrder === 'dmy'
      ? [third, second, first]
      : [third, first, second]
  const day = writtenDay(Number(year), Number(month), Number(date))
  if (day === null) return { message: sheetRule('noSuchDay') }
  if (rest === undefined) return { day, time: null }
  const shown = clock.exec(rest.trim())
  if (!shown) return bad()
  const [, hour = '', minute = '', second60 = '00', offset = ''] = shown
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second60) > 59) return { message: sheetRule('noSuchTime') }
  return { day, time: `${two(Number(hour))}:${minute}${offset && `:${second60}${offset}`}` }
}

/** A number of days as the time it stands for, counted as if it were UTC; null: it is none of this century. */
function serialTime(serial: number, { serialShift }: ReadBy): number | null {
  const days = serial + serialShift
  return days >= firstSerial && days <= lastSerial ? serialZero + days * dayMs : null
}

const instantOf = (cell: Good, by: ReadBy): number | null =>
  cell instanceof Date ? cell.getTime() : typeof cell === 'number' ? serialTime(cell, by) : null

/** A day: "2026-06-24". A time within it is a fault. */
export const day = good((cell, by) => {
  if (typeof cell === 'string') {
    const read = written(cell.trim(), by)
    if ('message' in read) return read
    return read.time === null || read.time === '00:00' ? { value: read.day } : fault('dayAlone')
  }
  const at = instantOf(cell, by)
  if (at === null) return fault('notADate')
  const shown = writtenTime(at)
  return shown.endsWith('T00:00') ? { value: shown.slice(0, 10) } : fault('dayAlone')
})

/** A time that clocks at its place show, "2026-06-24T14:30", or an instant; a day alone is its beginning. */
export const time = good((cell, by) => {
  if (typeof cell === 'string') {
    const read = written(cell.trim(), by)
    return 'message' in read ? read : { value: `${read.day}T${read.time ?? '00:00'}` }
  }
  const at = instantOf(cell, by)
  return at === null ? fault('notADate') : { value: writtenTime(at) }
})

/** The same, but a day alone stays one. A spreadsheet has no day alone: its midnight is taken for one. */
export const timeOrDay = good((cell, by) => {
  const read = time(cell, by)
  if ('message' in read) return read
  const text = String(read.value)
  const isDay = typeof cell === 'string' ? !/[:hH]/.test(cell) : text.endsWith('T00:00')
  return isDay ? { value: text.slice(0, 10) } : read
})

/** Degrees with a point or a comma, which is never that of thousands. */
export const degrees = good((cell, by) => {
  const text = typeof cell === 'string' ? cell.trim().replace(',', '.').replace(/\s*°$/, '') : null
  return text !== null && /^[+-]?\d{1,3}(?:\.\d+)?$/.test(text) ? { value: Number(text) } : decimal(cell, by)
})

/** A device of a row. */
export interface CarriedDevice {
  imei: string
  /** Needed where the hardware has several. */
  probe: number | null
  place: string
  /** The number of the pallet that it is on. */
  sscc?: string
}

const oneDevice = /^(\d{15})(?:\/(\d))?(?:[\s:=@]+(\w+)(?:[\s:]+((?:\(00\)\s?)?\d{15,20}))?)?$/

/**
 * IMEIs, each with its place: "490154203237518 air; 490154203237526/2 pallet 160012345000000015". The first place is meant where none is
 * written.
 */
export const devicesAt =
  (places: readonly [string, ...string[]]): Reader =>
  (cell, by) => {
    const read = typeof cell === 'number' ? digits(15)(cell, by) : code(cell, by)
    if ('message' in read) return read
    const parts = String(read.value)
      .split(/[;,\n]+/)
      .map((part) => part.trim())
      .filter(Boolean)
    const value: CarriedDevice[] = []
    for (const part of parts) {
      const [, imei, probe, place = places[0], sscc] = oneDevice.exec(part) ?? []
      const known = places.find((one) => one === place.toLowerCase())
      // A pallet alone has a number.
      if (!imei || !known || (sscc && known !== 'pallet'))
        return fault('devices', { part: part.slice(0, 40), place: places[0], places: places.join(', ') })
      value.push({ imei, probe: probe ? Number(probe) : null, place: known, ...(sscc && { sscc }) })
    }
    return { value }
  }

/** One of these values, by its name in the API or in any of the four languages. */
export function choice(values: readonly string[], nameIn: NameIn = String): Reader {
  const names = localeNames.flatMap((locale) =>
    values.map((value) => [foldName(nameIn(value, locale)), value] as const),
  )
  const known = new Map([...names, ...values.map((value) => [foldName(value), value] as const)])
  return good((cell, { locale }) => {
    const value = known.get(foldName(String(cell)))
    if (value !== undefined) return { value }
    return fault('choice', { choices: values.map((one) => nameIn(one, locale)).join(', ') })
  })
}

/** The part of a column whose values are chosen from these: templates and faults name them in the person's language. */
export const chosenFrom = (values: readonly string[], nameIn: NameIn) => ({
  ...{ choices: values, nameIn, read: choice(values, nameIn) },
})
