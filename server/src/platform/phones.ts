import { type CountryCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/min'

/**
 * A phone number as E.164, or null where what was typed is none. A number without its country's code is one of `country`. Strict: its
 * country gives such numbers out; else it is as long as those are.
 */
export function readPhone(typed: string, country: string | null, isStrict: boolean): string | null {
  // One without an extension: people are called and written to by it.
  const number = parsePhoneNumberFromString(typed, { defaultCountry: countryOf(country), extract: false })
  if (!number || number.ext) return null
  return (isStrict ? number.isValid() : number.isPossible()) ? number.number : null
}

const countryOf = (country: string | null): CountryCode | undefined =>
  country !== null && isSupportedCountry(country) ? country : undefined
