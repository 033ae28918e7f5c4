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

/** The IMEI of a company's sample device: of the range for tests, which no tracker that is sold has. */
export function sampleImei(companyId: number): string {
  const digits = `${sampleRange}${String(companyId).padStart(10, '0')}`
  return [...'0123456789'].map((check) => digits + check).find(hasValidLuhn) ?? ''
}

const sampleRange = '0010'
export const isSampleImei = (imei: string): boolean => imei.startsWith(sampleRange)

export type ImeiCheck = 'ok' | 'luhn' | 'malformed'

/** `luhn` warns and may be overridden by whoever types the number in; `malformed` may not. */
export function checkImei(text: string): ImeiCheck {
  if (!isImei(text)) return 'malformed'
  return hasValidLuhn(text) ? 'ok' : 'luhn'
}
