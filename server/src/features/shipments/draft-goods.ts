import type { NewShipment } from '@isotherm/contract/shipment-calls.ts'
import { gtin, hsCode } from '../../domain/identifiers.ts'
import type { Faults } from '../../platform/errors/faults.ts'
import { draftNumber } from './draft-number.ts'

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
}

/** The columns of what is said of the goods; `kept`: limits that are there, in hundredths of a degree. */
export function goodsColumns(
  given: Goods,
  kept: { min_c: number | null; max_c: number | null },
  faults: Faults,
): GoodsColumns {
  const made = Object.assign(
    {},
    ...Object.entries(columns).map(([name, of]) => (given[name as keyof Goods] === undefined ? {} : of(given))),
  ) as GoodsColumns
  if (given.hsCode !== undefined) made.hs_code = codeOf(given.hsCode, faults)
  if (given.gtin !== undefined) {
    const number = { path: 'gtin', name: 'gtin', read: gtin, isUnchecked: given.gtinUnchecked }
    const { value, isUnchecked } = draftNumber(given.gtin, number, faults)
    Object.assign(made, { gtin: value, gtin_unchecked: isUnchecked })
  }
  const { min_c: min = kept.min_c, max_c: max = kept.max_c } = made
  if (min !== null && max !== null && min > max) faults.add('maxC', 'rule.limitsCrossed')
  if (given.incotermPlace && given.incoterm === null) faults.add('incotermPlace', 'rule.incotermNeeded')
  return made
}

function codeOf(text: string | null, faults: Faults): string | null {
  if (text === null) return null
  const read = hsCode(text)
  if ('value' in read) return read.value
  faults.add('hsCode', read.fault === 'form' ? 'rule.identifier.hsCode' : 'rule.identifier.hsChapter')
  return null
}
