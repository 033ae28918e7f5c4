import { currentLocale } from './i18n.ts'

const codes =
  'AD AE AF AG AI AL AM AO AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GT GU GW GY HK HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW'.split(
    ' ',
  )

export interface Choice {
  value: string
  label: string
}

/** The country that keeps the zone; empty where the browser does not know. A language would say less: many browsers speak en-US. */
export function countryOf(zone: string): string {
  const zonesOf = (code: string) =>
    (new Intl.Locale(`und-${code}`) as Intl.Locale & { getTimeZones?: () => string[] | undefined }).getTimeZones?.()
  return codes.find((code) => zonesOf(code)?.includes(zone)) ?? ''
}

/** ISO 3166-1 countries by their names in the reader's language. */
export function countries(): Choice[] {
  const locale = currentLocale()
  const names = new Intl.DisplayNames([locale, 'en'], { type: 'region' })
  return codes
    .map((value) => ({ value, label: names.of(value) ?? value }))
    .sort((a, b) => a.label.localeCompare(b.label, locale))
}

/** IANA zones as the browser knows them, "Africa/Lagos" as is: the name people look for. */
export function timeZones(also?: string): Choice[] {
  const names = new Set([...Intl.supportedValuesOf('timeZone'), 'UTC'])
  if (also) names.add(also)
  return [...names].sort().map((value) => ({ value, label: value.replaceAll('_', ' ') }))
}
