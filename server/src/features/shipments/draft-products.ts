import { type FurtherProduct, type GivenProduct, sharedRange } from '@isotherm/contract/shipment-products.ts'
import { draftNumber } from '../../core/shipments/draft-number.ts'
import { gtin, hsCode } from '../../domain/identifiers.ts'
import type { Faults } from '../../platform/errors/faults.ts'

/** To a hundredth of a degree. */
const rounded = (celsius: number | null): number | null => (celsius === null ? null : Math.round(celsius * 100) / 100)
/** To a thousandth of a unit. */
export const roundedQuantity = (quantity: number | null): number | null =>
  quantity === null ? null : Math.round(quantity * 1_000) / 1_000

/** A code of the Harmonized System as it is to be stored. */
export function codeOf(text: string | null, path: string, faults: Faults): string | null {
  if (text === null) return null
  const read = hsCode(text)
  if ('value' in read) return read.value
  faults.add(path, read.fault === 'form' ? 'rule.identifier.hsCode' : 'rule.identifier.hsChapter')
  return null
}

/** The products besides the first one as they are to be stored. Faults are those of the fields `furtherProducts.0.gtin`. */
export const draftFurther = (products: readonly GivenProduct[], faults: Faults): FurtherProduct[] =>
  products.map(({ product, variety = null, gtin: typed, gtinUnchecked, quantityUnit = null, ...given }, index) => {
    const path = `furtherProducts.${index}`
    const read = draftNumber(
      typed,
      { path: `${path}.gtin`, name: 'gtin', read: gtin, isUnchecked: gtinUnchecked },
      faults,
    )
    const quantity = roundedQuantity(given.quantity ?? null)
    if (quantity !== null && quantityUnit === null) faults.add(`${path}.quantityUnit`, 'rule.products.unitNeeded')
    const [minC, maxC] = [rounded(given.minC ?? null), rounded(given.maxC ?? null)]
    if (minC !== null && maxC !== null && minC > maxC) faults.add(`${path}.maxC`, 'rule.limitsCrossed')
    return {
      ...{ product, variety, hsCode: codeOf(given.hsCode ?? null, `${path}.hsCode`, faults) },
      ...{ gtin: read.value, gtinUnchecked: read.isUnchecked, quantity, quantityUnit, minC, maxC },
    }
  })

type Ranged = Pick<FurtherProduct, 'product' | 'minC' | 'maxC'>

const isCrossed = ({ minC, maxC }: Ranged) => minC !== null && maxC !== null && minC > maxC

/** Refuses products that no temperature suits, and names the two that are furthest apart. The first of `products` is the shipment's own. */
export function refuseApart(products: readonly Ranged[], faults: Faults): void {
  const { crossed } = sharedRange(products)
  // One whose own limits are crossed was told already.
  if (!crossed || products.some(isCrossed)) return
  const [warmer, colder] = [products[crossed.low], products[crossed.high]]
  if (!warmer || !colder) return
  const isWarmerLast = crossed.low > crossed.high
  const name = isWarmerLast ? 'minC' : 'maxC'
  const at = Math.max(crossed.low, crossed.high)
  const values = { warmer: warmer.product, min: warmer.minC ?? 0, colder: colder.product, max: colder.maxC ?? 0 }
  faults.add(`furtherProducts.${at - 1}.${name}`, 'rule.products.noSharedRange', values)
}

/** Refuses a product that is there twice, alike in everything: a row that was copied. */
export function refuseTwice(products: readonly FurtherProduct[], faults: Faults): void {
  const seen = new Set<string>()
  for (const [index, one] of products.entries()) {
    const { product, variety, ...rest } = one
    const key = JSON.stringify([product.toLowerCase(), variety?.toLowerCase() ?? null, rest])
    if (index > 0 && seen.has(key)) faults.add(`furtherProducts.${index - 1}.product`, 'rule.products.productTwice')
    seen.add(key)
  }
}
