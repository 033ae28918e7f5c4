import type { EpcisRead } from '@isotherm/contract/epcis.ts'
import type { QuantityUnit } from '@isotherm/contract/shipment-products.ts'
import { gtin } from '../identifiers.ts'
import { extensionOf, gtinOf, type Json, jsonIn, listIn, textIn } from './read-parts.ts'

/** A shipment has no more of them. */
const maxProducts = 20

type ReadProduct = NonNullable<EpcisRead['draft']>['furtherProducts'][number]

/** Units of UN/CEFACT; what is counted has none. */
const units: Record<string, QuantityUnit> = { KGM: 'kg', TNE: 't', LTR: 'l' }

/** A quantity of a class of goods, as an event tells of it. */
interface Amount {
  gtin: string | null
  name: string | null
  quantity: number | null
  unit: QuantityUnit | null
  /** Packed into something: further ones of the same class add up. */
  isPacked: boolean
}

const isRight = (number: string): boolean => 'value' in gtin(number)

function amountsIn(event: Json): Amount[] {
  const classes = [...listIn(event.quantityList), ...listIn(event.childQuantityList)].map(jsonIn)
  // One name of several classes says nothing of each.
  const name = classes.length === 1 ? extensionOf(event, 'product') : null
  return classes.map(({ epcClass, quantity, uom }) => {
    const read = gtinOf(textIn(epcClass) ?? '')
    const unit = uom === undefined ? 'piece' : (units[String(uom)] ?? null)
    const isNumber = typeof quantity === 'number' && Number.isFinite(quantity) && quantity > 0
    return {
      ...{ gtin: read && isRight(read) ? read : null, name },
      ...(isNumber && unit ? { quantity, unit } : { quantity: null, unit: null }),
      isPacked: event.type === 'AggregationEvent' && event.action === 'ADD' && event.bizStep === 'packing',
    }
  })
}

/** How much there is: what was packed piece by piece together, else the most that an event tells of. */
function amountOf(told: readonly Amount[]): Pick<ReadProduct, 'quantity' | 'quantityUnit'> {
  const packed = told.filter(({ isPacked, quantity }) => isPacked && quantity !== null)
  const counted = packed.length > 0 ? packed : told.filter(({ quantity }) => quantity !== null)
  const unit = counted[0]?.unit ?? null
  const amounts = counted.flatMap(({ unit: own, quantity }) => (own === unit && quantity !== null ? [quantity] : []))
  if (amounts.length === 0) return { quantity: null, quantityUnit: null }
  const all = packed.length > 0 ? amounts.reduce((a, b) => a + b, 0) : amounts.reduce((a, b) => Math.max(a, b))
  return { quantity: Math.round(all * 1_000) / 1_000, quantityUnit: unit }
}

/** The products that a document tells of, by their numbers, else their names; `gtins`: numbers of single things, too. */
export function productsIn(events: readonly Json[], gtins: readonly string[]): ReadProduct[] {
  const told = events.flatMap(amountsIn).filter((one) => one.gtin !== null || one.name !== null)
  const byProduct = Map.groupBy(told, (one) => one.gtin ?? one.name)
  for (const number of gtins) if (isRight(number) && !byProduct.has(number)) byProduct.set(number, [])
  const products = [...byProduct].map(([key, own]) => ({
    product: own.find(({ name }) => name !== null)?.name ?? null,
    gtin: own[0] ? own[0].gtin : key,
    ...amountOf(own),
  }))
  // The same by its name alone is no other one.
  const isAgain = (one: ReadProduct) =>
    one.gtin === null && products.some(({ gtin, product }) => gtin !== null && product === one.product)
  return products.filter((one) => !isAgain(one)).slice(0, maxProducts)
}
