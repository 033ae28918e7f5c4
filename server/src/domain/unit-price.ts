/** So many units for an amount of minor units, net. */
export interface UnitOffer {
  units: number
  amount: number
}

export interface UnitPrices {
  /** Sold together, in just this number. */
  bundles: readonly UnitOffer[]
  /** The rates of any other number. */
  rates: readonly UnitOffer[]
}

/** The rate of a number: of several the one for the most units that are not more than it, else the one for the fewest. */
function rateFor(units: number, rates: readonly UnitOffer[]): UnitOffer | undefined {
  const byUnits = [...rates].sort((a, b) => a.units - b.units)
  return byUnits.findLast((rate) => rate.units <= units) ?? byUnits[0]
}

/** The net price of a number of units: that of a bundle of just so many, else by the rate, up to whole minor units; null: not sold. */
export function netOfUnits(units: number, { bundles, rates }: UnitPrices): number | null {
  const bundle = bundles.find((offer) => offer.units === units)
  if (bundle) return bundle.amount
  const rate = rateFor(units, rates)
  if (!rate) return null
  return Number((BigInt(units) * BigInt(rate.amount) + BigInt(rate.units - 1)) / BigInt(rate.units))
}

/** The bundle with more units that costs less than this number by the rate; undefined: there is none. */
export const cheaperBundle = (units: number, net: number, { bundles }: UnitPrices): UnitOffer | undefined =>
  bundles.filter((offer) => offer.units > units && offer.amount < net).sort((a, b) => a.amount - b.amount)[0]
