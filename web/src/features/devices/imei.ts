/** Whether the last digit of 15 is the Luhn check digit of the others; real trackers break it, so it only warns. */
export function hasValidCheckDigit(imei: string): boolean {
  let sum = 0
  for (let index = 0; index < imei.length; index++) {
    const digit = Number(imei[imei.length - 1 - index])
    const counted = index % 2 === 1 ? digit * 2 : digit
    sum += counted > 9 ? counted - 9 : counted
  }
  return sum % 10 === 0
}

/** Removes spaces and dashes of a typed or pasted number. */
export const digitsOf = (text: string): string => text.replace(/[\s.-]/g, '')
export const isImei = (text: string): boolean => /^\d{15}$/.test(text)
