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
