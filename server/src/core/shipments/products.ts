import { FurtherProduct, type QuantityUnit } from '@isotherm/contract/shipment-products.ts'
import { hundredths } from '../../domain/measures.ts'
import type { ShipmentRow } from './shipment-queries.ts'

/** The products of a shipment besides the first one. */
export const furtherProductsOf = (column: unknown): FurtherProduct[] => FurtherProduct.array().parse(column)

/** The products of a shipment: the first one of its own columns, then the others. */
export const productsOfRow = (row: ShipmentRow): [FurtherProduct, ...FurtherProduct[]] => [
  {
    ...{ product: row.product, variety: row.variety, hsCode: row.hs_code, gtin: row.gtin },
    ...{ gtinUnchecked: row.gtin_unchecked, quantity: row.quantity },
    ...{ quantityUnit: row.quantity_unit as QuantityUnit | null },
    ...{ minC: hundredths(row.min_c), maxC: hundredths(row.max_c) },
  },
  ...furtherProductsOf(row.further_products),
]
