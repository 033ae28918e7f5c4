/** The part of something that falls to the first `paid` of `total` minor units, rounded down. */
const upTo = (whole: number, paid: bigint, total: bigint): bigint => (BigInt(whole) * paid) / total

/**
 * The part of something that falls to `amount` of `total`, after `before` of it: parts that make up the whole add up to it, however
 * it was divided.
 */
export const shareOf = (whole: number, amount: bigint, before: bigint, total: bigint): number =>
  Number(upTo(whole, before + amount, total) - upTo(whole, before, total))

interface Taxed<T> {
  taxes: readonly T[]
  total: bigint
}

/** Net and taxes of a part of a price, of which `before` was taken back already. */
export function creditOf<T extends { amount: number }>(
  { taxes, total }: Taxed<T>,
  amount: bigint,
  before: bigint,
): { net: bigint; taxes: T[]; tax: bigint } {
  const parts = taxes.map((tax) => ({ ...tax, amount: shareOf(tax.amount, amount, before, total) }))
  const tax = parts.reduce((sum, part) => sum + BigInt(part.amount), 0n)
  return { net: amount - tax, taxes: parts, tax }
}
