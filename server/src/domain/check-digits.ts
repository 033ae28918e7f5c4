/** Values of letters in ISO 6346: from 10 on, without the multiples of 11. */
const letterValues: Record<string, number> = Object.fromEntries(
  [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'].map((letter, i) => [letter, 10 + i + Math.floor((i + 9) / 10)]),
)

/** ISO 6346: sum of value x 2^position, mod 11; a remainder of 10 is written 0. `code`: four letters and six digits. */
export function containerDigit(code: string): number {
  let sum = 0
  for (let i = 0; i < 10; i++) sum += (letterValues[code[i] ?? ''] ?? Number(code[i])) * 2 ** i
  return (sum % 11) % 10
}

/** IATA: the seven digits of a serial number, mod 7. */
export const airWaybillDigit = (serial: string): number => Number(serial) % 7

/** IMO: the first six digits by 7 to 2; the last digit of the sum. */
export function imoDigit(six: string): number {
  let sum = 0
  for (let i = 0; i < 6; i++) sum += Number(six[i]) * (7 - i)
  return sum % 10
}

/** GS1: digits by 3 and 1 in turn from the right. */
export function gs1Digit(digits: string): number {
  let sum = 0
  for (let i = 0; i < digits.length; i++) sum += Number(digits[digits.length - 1 - i]) * (i % 2 === 0 ? 3 : 1)
  return (10 - (sum % 10)) % 10
}
