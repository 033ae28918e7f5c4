import { type Tax, withTaxes } from './tax.ts'

/** The standard rate of a country for what is carried within it, from a day on; `since` null: longer than we have counted. */
interface CountryTax {
  since: string | null
  /** Parts in hundredths of a percent, all on the same base. Empty: the country has no such tax. */
  parts: readonly (readonly [name: string, basisPoints: number])[]
  /** Somebody has compared it with an official source; left out: it was written from memory. */
  isVerified?: true
}

const vat = (basisPoints: number, since: string | null = null): CountryTax[] => [
  { since, parts: [['VAT', basisPoints]] },
]
const named = (name: string, basisPoints: number, since: string | null = null): CountryTax[] => [
  { since, parts: [[name, basisPoints]] },
]
const none: CountryTax[] = [{ since: null, parts: [] }]

/**
 * Standard rates, the latest first, written from memory in November 2026 and compared with no source, which every screen says of a rate that is not
 * `isVerified`. They only estimate: a service, a region or a turnover may have another rate. A country that is not here is not estimated; the United States are not, because their taxes
 * are those of states.
 */
const rates: Record<string, CountryTax[]> = {
  ...{
    AE: vat(500, '2018-01-01'),
    AO: named('IVA', 1400, '2019-10-01'),
    AR: named('IVA', 2100),
    AT: named('USt', 2000),
  },
  ...{ AU: named('GST', 1000, '2000-07-01'), BE: named('TVA', 2100), BF: named('TVA', 1800), BG: vat(2000) },
  ...{ BH: vat(1000, '2022-01-01'), BJ: named('TVA', 1800), BW: vat(1400), CH: named('MWST', 810, '2024-01-01') },
  ...{
    CI: named('TVA', 1800),
    CL: named('IVA', 1900, '2003-10-01'),
    CM: named('TVA', 1925),
    CO: named('IVA', 1900, '2017-01-01'),
  },
  ...{ CY: vat(1900, '2014-01-13'), CZ: named('DPH', 2100, '2013-01-01'), DE: named('USt', 1900, '2021-01-01') },
  ...{
    DK: named('moms', 2500, '1992-01-01'),
    DZ: named('TVA', 1900, '2017-01-01'),
    EC: named('IVA', 1500, '2024-04-01'),
  },
  ...{ EE: vat(2400, '2025-07-01'), EG: vat(1400, '2017-07-01'), ES: named('IVA', 2100, '2012-09-01'), ET: vat(1500) },
  ...{ FI: named('ALV', 2550, '2024-09-01'), FR: named('TVA', 2000, '2014-01-01'), GA: named('TVA', 1800) },
  GB: vat(2000, '2011-01-04'),
  GH: [
    {
      since: '2026-01-01',
      parts: [
        ['VAT', 1500],
        ['NHIL', 250],
        ['GETFund', 250],
      ],
    },
  ],
  ...{
    GR: vat(2400, '2016-06-01'),
    HK: none,
    HR: named('PDV', 2500, '2012-03-01'),
    HU: named('ÁFA', 2700, '2012-01-01'),
  },
  ...{ IE: vat(2300, '2021-03-01'), IN: named('GST', 1800, '2017-07-01'), IS: named('VSK', 2400, '2015-01-01') },
  ...{ IT: named('IVA', 2200, '2013-10-01'), JP: named('JCT', 1000, '2019-10-01'), KE: vat(1600, '2021-01-01') },
  ...{ KR: vat(1000), KW: none, LT: named('PVM', 2100, '2009-09-01'), LU: named('TVA', 1700, '2024-01-01') },
  ...{ LV: named('PVN', 2100, '2012-07-01'), MA: named('TVA', 2000), MG: named('TVA', 2000), ML: named('TVA', 1800) },
  ...{
    MT: vat(1800, '2004-01-01'),
    MU: vat(1500),
    MX: named('IVA', 1600, '2010-01-01'),
    MZ: named('IVA', 1600, '2023-01-01'),
  },
  ...{ NA: vat(1500), NE: named('TVA', 1900), NG: vat(750, '2020-02-01'), NL: named('BTW', 2100, '2012-10-01') },
  ...{
    NO: named('MVA', 2500, '2005-01-01'),
    NZ: named('GST', 1500, '2010-10-01'),
    PE: named('IGV', 1800, '2011-03-01'),
  },
  ...{ PH: vat(1200, '2006-02-01'), PL: vat(2300, '2011-01-01'), PT: named('IVA', 2300, '2011-01-01'), QA: none },
  ...{ RO: named('TVA', 2100, '2025-08-01'), RW: vat(1800), SA: vat(1500, '2020-07-01'), SE: named('moms', 2500) },
  ...{
    SG: named('GST', 900, '2024-01-01'),
    SI: named('DDV', 2200, '2013-07-01'),
    SK: named('DPH', 2300, '2025-01-01'),
  },
  ...{
    SN: named('TVA', 1800),
    TG: named('TVA', 1800),
    TN: named('TVA', 1900, '2018-01-01'),
    TR: named('KDV', 2000, '2023-07-10'),
  },
  ...{ TZ: vat(1800), UG: vat(1800), UY: named('IVA', 2200), ZA: vat(1500, '2018-04-01'), ZM: vat(1600) },
}

export interface EstimatedTax {
  taxes: Tax[]
  taxNote: 'crossBorder' | 'none' | 'notEstimated' | null
  taxCountry: string | null
  taxSince: string | null
  isTaxVerified: boolean
}

const without = (
  taxNote: EstimatedTax['taxNote'],
  taxCountry: string | null = null,
  isTaxVerified = false,
): EstimatedTax => ({
  ...{ taxes: [], taxNote, taxCountry, taxSince: null, isTaxVerified },
})

/**
 * The tax on a taxed sum, in minor units, of goods carried between these countries on a day (YYYY-MM-DD). Across a border carriage is as
 * a rule rated zero.
 */
export function estimatedTax(taxed: number, countries: readonly (string | null)[], day: string): EstimatedTax {
  const known = countries.filter((country) => country !== null)
  if (new Set(known).size > 1) return without('crossBorder')
  const [country] = known
  if (country === undefined || known.length < countries.length) return without('notEstimated')
  const found = rates[country]?.find(({ since }) => since === null || since <= day)
  if (!found) return without('notEstimated', country)
  const isTaxVerified = found.isVerified ?? false
  if (found.parts.length === 0) return without('none', country, isTaxVerified)
  const { taxes } = withTaxes(
    taxed,
    found.parts.map(([name, basisPoints]) => ({ name, basisPoints })),
  )
  return { taxes, taxNote: null, taxCountry: country, taxSince: found.since, isTaxVerified }
}
