import type { Treatment } from '@isotherm/contract/cold-treatments.ts'
import type { FurtherProduct, QuantityUnit } from '@isotherm/contract/shipment-products.ts'
import { type LegRow, legsOf } from '../../core/shipments/shipment-queries.ts'
import type { TenantTx } from '../../platform/context.ts'

/**
 * Where the goods of a shipment travel, as its legs tell: in containers and under seals that they name. A vessel that departed while no leg
 * names a container carries them in its hold.
 */
export function carriageOf(legs: readonly LegRow[]): Omit<Treatment['carriage'], 'isLoadingNoted' | 'isMixed'> {
  const standing = legs.filter(({ rolled_at }) => rolled_at === null)
  const containers = [...new Set(standing.flatMap(({ container_no }) => container_no ?? []))]
  return {
    containers,
    isSealed: standing.some(({ seal_no }) => seal_no !== null),
    isInHold: containers.length === 0 && standing.some(({ mode, atd }) => mode === 'sea' && atd !== null),
  }
}

/** Whether products are fruit of several types, or are counted in several types of package. Varieties of a fruit are one type. */
export function isMixed(products: readonly Pick<FurtherProduct, 'product' | 'quantityUnit'>[]): boolean {
  const fruits = new Set(products.map(({ product }) => product.trim().toLocaleLowerCase('en')))
  const packages = new Set(products.flatMap(({ quantityUnit: unit }) => (unit && isPackage(unit) ? [unit] : [])))
  return fruits.size > 1 || packages.size > 1
}

const isPackage = (unit: QuantityUnit) => unit === 'carton' || unit === 'crate' || unit === 'bag'

export const carriageOfShipment = async (ctx: TenantTx, shipmentId: string) =>
  carriageOf(await legsOf(ctx, [shipmentId]))
