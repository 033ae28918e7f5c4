import type { NewShipment } from '@isotherm/contract/shipment-calls.ts'
import type { FurtherProduct } from '@isotherm/contract/shipment-products.ts'
import { draftNumber } from '../../core/shipments/draft-number.ts'
import { gtin } from '../../domain/identifiers.ts'
import { hundredths } from '../../domain/measures.ts'
import type { Faults } from '../../platform/errors/faults.ts'
import { codeOf, draftFurther, refuseApart, refuseTwice, roundedQuantity } from './draft-products.ts'

type Goods = Partial<NewShipment>

/** Hundredths of a degree. */
const centi = (celsius: number | null): number | null => (celsius === null ? null : Math.round(celsius * 100))

/** The columns of the fields that were given, by their names; a field that is left out stays as it is. */
const columns = {
  logistics: (given: Goods) => ({ logistics: given.logistics }),
  reference: ({ reference = null }: Goods) => ({ reference }),
  trackingNumber: ({ trackingNumber = null }: Goods) => ({ tracking_number: trackingNumber }),
  product: (given: Goods) => ({ product: given.product }),
  variety: ({ variety = null }: Goods) => ({ variety }),
  quantity: ({ quantity = null }: Goods) => ({ quantity: roundedQuantity(quantity) }),
  quantityUnit: ({ quantityUnit = null }: Goods) => ({ quantity_unit: quantityUnit }),
  incoterm: ({ incoterm = null }: Goods) => ({ incoterm }),
  incotermPlace: ({ incotermPlace = null }: Goods) => ({ incoterm_place: incotermPlace }),
  pallets: ({ pallets = null }: Goods) => ({ pallets }),
  grossWeightG: ({ grossWeightG = null }: Goods) => ({ gross_weight_g: grossWeightG }),
  region: ({ region = null }: Goods) => ({ region }),
  country: ({ country = null }: Goods) => ({ country }),
  personOfContact: ({ personOfContact = null }: Goods) => ({ person_of_contact: personOfContact }),
  setPointC: ({ setPointC = null }: Goods) => ({ set_point_c: centi(setPointC) }),
  minC: ({ minC = null }: Goods) => ({ min_c: centi(minC) }),
  maxC: ({ maxC = null }: Goods) => ({ max_c: centi(maxC) }),
  regimeCode: ({ regimeCode = null }: Goods) => ({ regime_code: regimeCode }),
  loadingOn: ({ loadingOn = null }: Goods) => ({ loading_on: loadingOn }),
  departureOn: ({ departureOn = null }: Goods) => ({ departure_on: departureOn }),
  note: ({ note = null }: Goods) => ({ note }),
  lot: ({ lot = null }: Goods) => ({ lot }),
  budget: ({ budget = null }: Goods) => ({ budget: budget && JSON.stringify(budget) }),
} satisfies Record<string, (given: Goods) => Record<string, unknown>>

type Columns = ReturnType<(typeof columns)[keyof typeof columns]>
type Whole<U> = (U extends unknown ? (one: U) => void : never) extends (all: infer I) => void ? I : never
export type GoodsColumns = Partial<Whole<Columns>> & {
  hs_code?: string | null
  gtin?: string | null
  gtin_unchecked?: boolean
  further_products?: string
}

/** A shipment that is there: its products, the first one among them, and its terms. */
export interface KeptGoods {
  products: readonly [FurtherProduct, ...FurtherProduct[]]
  incoterm: string | null
  incotermPlace: string | null
}

/** The columns of what is said of the goods; `kept`: the goods that are there. */
export function goodsColumns(given: Goods, kept: KeptGoods | null, faults: Faults): GoodsColumns {
  const made = Object.assign(
    {},
    ...Object.entries(columns).map(([name, of]) => (given[name as keyof Goods] === undefined ? {} : of(given))),
  ) as GoodsColumns
  if (given.hsCode !== undefined) made.hs_code = codeOf(given.hsCode, 'hsCode', faults)
  if (given.gtin !== undefined) {
    const number = { path: 'gtin', name: 'gtin', read: gtin, isUnchecked: given.gtinUnchecked }
    const { value, isUnchecked } = draftNumber(given.gtin, number, faults)
    Object.assign(made, { gtin: value, gtin_unchecked: isUnchecked })
  }
  const further = given.furtherProducts && draftFurther(given.furtherProducts, faults)
  if (further) made.further_products = JSON.stringify(further)
  if (ofProducts.some((name) => given[name] !== undefined))
    judgeProducts(productsAfter(made, further, kept?.products ?? null), faults)
  judgeTerms(given, kept, faults)
  return made
}

/** A place is named by a term: where either is said, a place has one. */
function judgeTerms(given: Goods, kept: KeptGoods | null, faults: Faults): void {
  if (given.incoterm === undefined && given.incotermPlace === undefined) return
  const { incoterm = kept?.incoterm, incotermPlace = kept?.incotermPlace } = given
  if (incotermPlace && !incoterm) faults.add('incotermPlace', 'rule.incotermNeeded')
}

/** The fields by which products contradict one another. */
const ofProducts = [
  ...(['product', 'variety', 'hsCode', 'gtin', 'quantity', 'quantityUnit', 'minC', 'maxC', 'furtherProducts'] as const),
] as const

const noProduct: FurtherProduct = {
  ...{ product: '', variety: null, hsCode: null, gtin: null, gtinUnchecked: false },
  ...{ quantity: null, quantityUnit: null, minC: null, maxC: null },
}

/** The products of a shipment once these columns are written. */
function productsAfter(made: GoodsColumns, further: FurtherProduct[] | undefined, kept: KeptGoods['products'] | null) {
  const [first, ...others] = kept ?? [noProduct]
  const { product = first.product, variety = first.variety, hs_code = first.hsCode, gtin = first.gtin } = made
  const { quantity = first.quantity, quantity_unit = first.quantityUnit } = made
  const own: FurtherProduct = {
    ...{ product, variety, hsCode: hs_code, gtin, gtinUnchecked: made.gtin_unchecked ?? first.gtinUnchecked },
    ...{ quantity, quantityUnit: quantity_unit },
    minC: made.min_c === undefined ? first.minC : hundredths(made.min_c),
    maxC: made.max_c === undefined ? first.maxC : hundredths(made.max_c),
  }
  return [own, ...(further ?? others)] as const
}

function judgeProducts(products: KeptGoods['products'], faults: Faults): void {
  const [{ quantity, quantityUnit, minC, maxC }] = products
  if (quantity !== null && quantityUnit === null) faults.add('quantityUnit', 'rule.products.unitNeeded')
  if (minC !== null && maxC !== null && minC > maxC) faults.add('maxC', 'rule.limitsCrossed')
  refuseApart(products, faults)
  refuseTwice(products, faults)
}
