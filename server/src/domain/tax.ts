/** One rate of a country; `basisPoints` are hundredths of a percent. */
export interface TaxRate {
  name: string
  basisPoints: number
}

/** The tax of one rate, in minor units. */
export interface Tax extends TaxRate {
  amount: number
}

/** Minor units: the total is the net sum and every tax. */
export interface Price {
  net: number
  taxes: Tax[]
  total: number
  /** Why there is no tax: `reverse_charge`, or the reason of an exemption. */
  taxNote?: string | null | undefined
}

/** Each rate counts once, on the whole net sum, half a minor unit up: so no sum of rounded lines can differ from the total. */
export function withTaxes(net: number, rates: readonly TaxRate[]): Price {
  const taxes = rates.map(({ name, basisPoints }) => ({
    name,
    basisPoints,
    amount: Number((BigInt(net) * BigInt(basisPoints) + 5_000n) / 10_000n),
  }))
  return { net, taxes, total: taxes.reduce((sum, { amount }) => sum + amount, net) }
}

const EU = new Set('AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(' '))

interface Buyer {
  country: string
  taxNumber: string | null
  /** The tax number that the operator has looked up; another one is worth nothing. */
  verified: string | null
  exemptReason: string | null
}

/**
 * Why a buyer pays no tax: it is exempt, or, of another member state of the EU than the seller, with a tax number that was looked up, owes it
 * itself. Null: it pays.
 */
export function taxNoteOf({ country, taxNumber, verified, exemptReason }: Buyer, sellerCountry: string): string | null {
  if (exemptReason) return exemptReason
  const isAbroad = country !== sellerCountry && EU.has(country) && EU.has(sellerCountry)
  return isAbroad && taxNumber && taxNumber === verified ? 'reverse_charge' : null
}
