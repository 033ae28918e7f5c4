// Newer than the types of the language.
interface RegionLocale extends Intl.Locale {
  getTimeZones?(): string[] | undefined
}

/** The IANA zones of a country (ISO 3166-1 alpha-2); none where nobody knows them. */
export const zonesOfCountry = (country: string): readonly string[] =>
  (new Intl.Locale(`und-${country}`) as RegionLocale).getTimeZones?.() ?? []
