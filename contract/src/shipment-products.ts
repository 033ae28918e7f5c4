import { z } from 'zod'
import { text } from './common.ts'
import { Text40, Text80 } from './texts.ts'

/** Products of a shipment, the first one among them. */
export const maxProducts = 20

/** Units in which quantities of goods are counted and measured. */
export const quantityUnits = ['piece', 'carton', 'crate', 'bag', 'kg', 't', 'l'] as const
export const QuantityUnit = z.enum(quantityUnits)
export type QuantityUnit = z.infer<typeof QuantityUnit>

const Celsius = z.number().min(-100).max(100)

/** The fields of a product, as they are given. */
export const productFields = {
  product: text(120),
  variety: Text80,
  /** As typed; kept without spaces and marks. */
  hsCode: Text40,
  /** The number of the trade item by GS1: 8, 12, 13 or 14 digits. */
  gtin: Text40,
  gtinUnchecked: z.boolean(),
  /** In `quantityUnit`; kept with three decimals. */
  quantity: z.number().min(0.001).max(1_000_000_000).nullable(),
  quantityUnit: QuantityUnit.nullable(),
  /** The temperatures at which it is carried, °C. */
  minC: Celsius.nullable(),
  maxC: Celsius.nullable(),
}

export const GivenProduct = z.strictObject(productFields).partial({
  ...({ variety: true, hsCode: true, gtin: true, gtinUnchecked: true } as const),
  ...({ quantity: true, quantityUnit: true, minC: true, maxC: true } as const),
})
export type GivenProduct = z.infer<typeof GivenProduct>

/** A product of a shipment besides the first one, whose fields are the shipment's own. */
export const FurtherProduct = z.object({
  product: z.string(),
  variety: z.string().nullable(),
  hsCode: z.string().nullable(),
  /** 14 digits. */
  gtin: z.string().nullable(),
  /** The number stands, though its check digit is wrong. */
  gtinUnchecked: z.boolean(),
  quantity: z.number().nullable(),
  quantityUnit: QuantityUnit.nullable(),
  /** °C */
  minC: z.number().nullable(),
  maxC: z.number().nullable(),
})
export type FurtherProduct = z.infer<typeof FurtherProduct>

interface Range {
  minC: number | null
  maxC: number | null
}

/**
 * The carrying temperature that all products share: the highest of their lowest temperatures to the lowest of their highest ones. `crossed`: there
 * is none, because the product at `low` must be warmer than the one at `high` may be.
 */
export function sharedRange(products: readonly Range[]): Range & { crossed: { low: number; high: number } | null } {
  const edge = (name: keyof Range, isStricter: (value: number, than: number) => boolean) => {
    let at = -1
    let strictest: number | null = null
    for (const [index, { [name]: value }] of products.entries())
      if (value !== null && (strictest === null || isStricter(value, strictest))) [at, strictest] = [index, value]
    return { at, value: strictest }
  }
  const low = edge('minC', (value, than) => value > than)
  const high = edge('maxC', (value, than) => value < than)
  const isCrossed = low.value !== null && high.value !== null && low.value > high.value
  return { minC: low.value, maxC: high.value, crossed: isCrossed ? { low: low.at, high: high.at } : null }
}

/** All products of a shipment, the first one among them. */
export function productsOf(
  shipment: FurtherProduct & { furtherProducts: readonly FurtherProduct[] },
): FurtherProduct[] {
  const { product, variety, hsCode, gtin, gtinUnchecked, quantity, quantityUnit, minC, maxC } = shipment
  const first = { product, variety, hsCode, gtin, gtinUnchecked, quantity, quantityUnit, minC, maxC }
  return [first, ...shipment.furtherProducts]
}

/** "Oranges, Valencia; Lemons": the names of products. */
export const namesOfProducts = (products: readonly Pick<FurtherProduct, 'product' | 'variety'>[]): string =>
  products.map(({ product, variety }) => [product, variety].filter(Boolean).join(', ')).join('; ')
