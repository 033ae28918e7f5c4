import { airWaybillDigit, containerDigit, gs1Digit, imoDigit } from './check-digits.ts'

/** An IMEI is 15 digits (3GPP TS 23.003); whether its check digit holds is another question: real trackers break it. */
export const isImei = (text: string): boolean => /^\d{15}$/.test(text)

/** Whether the last digit is the Luhn check digit (ISO/IEC 7812-1 annex B) of the others. */
export function hasValidLuhn(digits: string): boolean {
  let sum = 0
  for (let index = 0; index < digits.length; index++) {
    const digit = Number(digits[digits.length - 1 - index])
    const doubled = index % 2 === 1 ? digit * 2 : digit
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0
}

const sampleRanges = { fridge: '0010', freezer: '0011', van: '0012' } as const
/** The kinds of sample devices: a company has the fridge, a sandbox all of them. */
export type SampleKind = keyof typeof sampleRanges

/** The IMEI of a company's sample device: of the ranges for tests, which no tracker that is sold has. */
export function sampleImei(companyId: number, kind: SampleKind = 'fridge'): string {
  const digits = `${sampleRanges[kind]}${String(companyId).padStart(10, '0')}`
  return [...'0123456789'].map((check) => digits + check).find(hasValidLuhn) ?? ''
}

export const isSampleImei = (imei: string): boolean => /^001[0-2]/.test(imei)
/** The kind of a sample device, by its IMEI. */
export const sampleKindOf = (imei: string): SampleKind =>
  imei.startsWith(sampleRanges.freezer) ? 'freezer' : imei.startsWith(sampleRanges.van) ? 'van' : 'fridge'

export type ImeiCheck = 'ok' | 'luhn' | 'malformed'

/** `luhn` warns and may be overridden by whoever types the number in; `malformed` may not. */
export function checkImei(text: string): ImeiCheck {
  if (!isImei(text)) return 'malformed'
  return hasValidLuhn(text) ? 'ok' : 'luhn'
}

/** The reason why a number is refused: its form, its check digit, or that nothing has such a number. */
export type IdentifierFault = 'form' | 'checkDigit' | 'notAssigned'
/**
 * A number in the form in which it is stored, or its fault, with what was probably meant: nothing is corrected silently. `unchecked`: where
 * the check digit alone is wrong, the form in which it is stored by whoever insists on it.
 */
export type Identified = { value: string } | { fault: IdentifierFault; didYouMean?: string; unchecked?: string }

const fault = (reason: IdentifierFault, didYouMean?: string): Identified =>
  didYouMean === undefined ? { fault: reason } : { fault: reason, didYouMean }
const wrongDigit = (unchecked: string, didYouMean?: string): Identified => ({
  ...fault('checkDigit', didYouMean),
  unchecked,
})

/** Upper case, without the spaces, dots, hyphens and slashes of writing. */
const bare = (text: string): string => text.toUpperCase().replace(/[\s./\-\u2010-\u2015\u2212]/g, '')

// Signs that are mistaken for one another.
const asLetter: Record<string, string> = { '0': 'O', '1': 'I', '2': 'Z', '5': 'S', '6': 'G', '8': 'B' }
const asDigit: Record<string, string> = { O: '0', I: '1', L: '1', Z: '2', S: '5', G: '6', B: '8', Q: '0', D: '0' }

const allDigits = (code: string): string => [...code].map((sign) => asDigit[sign] ?? sign).join('')

const containerShape = /^[A-Z]{3}[UJZABDEK][0-9]{7}$/
const isContainer = (code: string) => containerShape.test(code) && containerDigit(code) === Number(code[10])

/** One sign replaced by what it is mistaken for, then all of them: letters stand in the first four places, digits after them. */
function* containersLike(code: string): Generator<string> {
  const replaced = (i: number) => (i < 4 ? asLetter : asDigit)[code[i] ?? '']
  for (let i = 0; i < code.length; i++) {
    const other = replaced(i)
    if (other) yield code.slice(0, i) + other + code.slice(i + 1)
  }
  yield [...code].map((sign, i) => (i < 4 ? asLetter : asDigit)[sign] ?? sign).join('')
}

/** The number of a container by ISO 6346, or of a swap body by EN 13044, which has the same arithmetic. */
export function containerNumber(text: string): Identified {
  const code = bare(text)
  if (isContainer(code)) return { value: code }
  const meant = code.length === 11 ? [...containersLike(code)].find(isContainer) : undefined
  return containerShape.test(code) ? wrongDigit(code, meant) : fault('form', meant)
}

/** An air waybill: the prefix of an airline and eight digits, the last of which is the others' mod 7. Stored as 11 digits. */
export function airWaybill(text: string): Identified {
  const code = bare(text).replace(/^AWB/, '')
  if (!/^\d{11}$/.test(code)) return fault('form')
  const check = airWaybillDigit(code.slice(3, 10))
  return check === Number(code[10]) ? { value: code } : wrongDigit(code, code.slice(0, 10) + check)
}

/** An IMO ship number: seven digits, not beginning with 0. */
export function imoNumber(text: string): Identified {
  const code = bare(text).replace(/^IMO/, '')
  const holds = (number: string) => /^[1-9]\d{6}$/.test(number) && imoDigit(number) === Number(number[6])
  if (holds(code)) return { value: code }
  if (/^[1-9]\d{6}$/.test(code)) return wrongDigit(code)
  const meant = allDigits(code)
  return fault('form', holds(meant) ? meant : undefined)
}

/** A UN/LOCODE: two letters of a country and three signs, never 0 or 1. */
export function locode(text: string): Identified {
  const code = bare(text)
  if (/^[A-Z]{2}[A-Z2-9]{3}$/.test(code)) return { value: code }
  const meant = code.length === 5 ? code.replace(/0/g, 'O').replace(/1/g, 'I') : code
  return fault('form', meant !== code && /^[A-Z]{2}[A-Z2-9]{3}$/.test(meant) ? meant : undefined)
}

const shaped =
  (shape: RegExp) =>
  (text: string): Identified => {
    const code = bare(text)
    return shape.test(code) ? { value: code } : fault('form')
  }

export const airportIata = shaped(/^[A-Z]{3}$/)
export const airportIcao = shaped(/^[A-Z]{4}$/)
const airline = '[A-Z]{3}|[A-Z][A-Z0-9]|[0-9][A-Z]'
/** An airline: two signs of IATA with a letter among them, or three letters of ICAO. */
export const carrierCode = shaped(new RegExp(`^(${airline})$`))
const flight = new RegExp(`^(${airline})(\\d{1,4}[A-Z]?)$`)
/** A flight: an airline, up to four digits and perhaps a letter. */
export const flightNumber = shaped(flight)

/** The airline of a flight and its number there, of one that `flightNumber` takes: some airlines have a digit in their code. */
export function partsOfFlight(value: string): { carrier: string; number: string } | null {
  const [, carrier, number] = flight.exec(value) ?? []
  return carrier && number ? { carrier, number } : null
}

/**
 * A number of GS1: digits, of which the last checks the others. Probably meant: digits where letters stand, the zero in front that a
 * spreadsheet took, or the check digit that the others have.
 */
function gs1(text: string, lengths: readonly number[]): Identified {
  const code = bare(text)
  const isShaped = (number: string) => /^\d+$/.test(number) && lengths.includes(number.length)
  const checked = (number: string) => number.slice(0, -1) + gs1Digit(number.slice(0, -1))
  const holds = (number: string) => isShaped(number) && checked(number) === number
  if (holds(code)) return { value: code }
  if (isShaped(code)) return wrongDigit(code, checked(code))
  return fault('form', [allDigits(code), `0${code}`].find(holds))
}

/** The number of a pallet or parcel, 18 digits; the (00) of its label may stand before it. */
export const sscc = (text: string): Identified => gs1(text.replace(/^\s*\(00\)/, ''), [18])

/** The number of a trade item, padded to 14 digits. */
export function gtin(text: string): Identified {
  const read = gs1(text.replace(/^\s*\(01\)/, ''), [8, 12, 13, 14])
  const padded = (code: string) => code.padStart(14, '0')
  if ('value' in read) return { value: padded(read.value) }
  return read.unchecked === undefined ? read : { ...read, unchecked: padded(read.unchecked) }
}

/** The number of a place or a firm, 13 digits. */
export const gln = (text: string): Identified => gs1(text, [13])

/** A code of the Harmonized System: 6 digits, or 8 or 10 where a country adds its own. Chapters are 01 to 97, 77 is none yet. */
export function hsCode(text: string): Identified {
  const code = bare(text)
  if (!/^\d{6}(\d{2}){0,2}$/.test(code)) return fault('form')
  const chapter = Number(code.slice(0, 2))
  return chapter >= 1 && chapter <= 97 && chapter !== 77 ? { value: code } : fault('notAssigned')
}
