/**
 * A phone number as it is written internationally, or null where what was typed can be none. A number without its country's code is one of
 * `country`. The rules of all countries are loaded with the first number.
 */
export async function writtenPhone(typed: string, country: string | null): Promise<string | null> {
  const { isSupportedCountry, parsePhoneNumberFromString } = await import('libphonenumber-js/min')
  const defaultCountry = country !== null && isSupportedCountry(country) ? country : undefined
  const number = parsePhoneNumberFromString(typed, { defaultCountry, extract: false })
  return number?.isPossible() ? number.formatInternational() : null
}
