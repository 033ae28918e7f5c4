import type { EpcisLeg, EpcisRead } from '@isotherm/contract/epcis.ts'
import { betterIncoterm, incoterm } from '@isotherm/contract/incoterms.ts'
import type { GivenLeg, NewShipment } from '@isotherm/contract/shipment-calls.ts'
import type { FurtherProduct, GivenProduct, QuantityUnit } from '@isotherm/contract/shipment-products.ts'
import type { DevicePlace, Incoterm, LegMode, ShipmentDetails, ShipmentLeg } from '@isotherm/contract/shipments.ts'
import { localTimeOf } from '@isotherm/contract/zone-times.ts'
import type { z } from 'zod'
import { type BudgetValues, budgetOf, budgetValues, noBudget } from '../../shared/budget/budget-values.ts'

const legTexts = [
  ...([
    'fromPort',
    'toPort',
    'fromName',
    'toName',
    'vesselName',
    'imo',
    'voyage',
    'carrierName',
    'flightNumber',
  ] as const),
  ...(['awb', 'houseAwb', 'bookingNumber', 'containerNo', 'sealNo', 'etd', 'eta'] as const),
]
const texts = [
  ...(['reference', 'trackingNumber', 'incoterm', 'incotermPlace', 'region', 'country', 'personOfContact'] as const),
  ...(['partnerId', 'regimeCode', 'loadingOn', 'departureOn', 'note', 'lot'] as const),
]
const numbers = ['pallets', 'setPointC'] as const

/** A product as it is typed. */
export interface ProductValues {
  product: string
  variety: string
  hsCode: string
  gtin: string
  gtinUnchecked: boolean
  quantity: number | string
  quantityUnit: string
  minC: number | string
  maxC: number | string
}

/** A leg as it is typed; its times are those that clocks show at the place. */
export type LegValues = Record<(typeof legTexts)[number], string> & {
  key: string
  /** As it is stored; a new leg has none. */
  stored?: ShipmentLeg | undefined
  mode: LegMode
  containerUnchecked: boolean
  imoUnchecked: boolean
  awbUnchecked: boolean
}

/** The form of a shipment, whose own product is the first one; weights in kilograms. */
export type ShipmentValues = Record<(typeof texts)[number], string> &
  Record<(typeof numbers)[number], number | string> &
  ProductValues & {
    logistics: 'internal' | 'external'
    furtherProducts: (ProductValues & { key: string })[]
    grossWeightKg: number | string
    originId: string
    destinationId: string
    legs: LegValues[]
    budget: BudgetValues
    devices: { id: string; name: string; place: DevicePlace; palletRef: string; sscc: string; ssccUnchecked: boolean }[]
  }

/** The Incoterm that is probably meant instead: one made for ships was chosen for a container, or for a way without a ship. */
export function betterTerm({ incoterm: text, legs }: ShipmentValues): Incoterm | undefined {
  const term = incoterm(text)
  if (!('value' in term)) return undefined
  const mode = legs.some((leg) => leg.mode === 'sea') ? 'sea' : (legs[0]?.mode ?? 'sea')
  return betterIncoterm(term.value, { mode, isContainer: legs.some(({ containerNo }) => containerNo.trim() !== '') })
}

/** Papers come late, so a departure before the loading date is asked about, and taken. */
export const leavesBeforeLoading = ({ legs: [first], loadingOn }: ShipmentValues): boolean =>
  Boolean(first?.etd && loadingOn && first.etd.slice(0, 10) < loadingOn.slice(0, 10))

let keys = 0
const empty = <K extends string>(names: readonly K[]) =>
  Object.fromEntries(names.map((name) => [name, ''])) as Record<K, string>

const unchecked = { containerUnchecked: false, awbUnchecked: false, imoUnchecked: false }
export function emptyLeg(mode: LegMode = 'sea'): LegValues {
  keys += 1
  return { ...empty(legTexts), key: `leg${keys}`, mode, ...unchecked }
}

/** The first place at which a leg may be put: those that have departed keep theirs. */
export const firstFreePlace = (legs: readonly LegValues[]): number =>
  legs.findLastIndex(({ stored }) => stored && (stored.atd !== null || stored.ata !== null)) + 1

/** Whether a leg of the form has departed or was rolled over: it stays. */
export const isSettled = ({ stored }: LegValues): boolean =>
  stored !== undefined && (stored.atd !== null || stored.ata !== null || stored.rolledAt !== null)

const noProduct: ProductValues = {
  ...{ product: '', variety: '', hsCode: '', gtin: '', gtinUnchecked: false },
  ...{ quantity: '', quantityUnit: '', minC: '', maxC: '' },
}
const newKey = (): string => {
  keys += 1
  return `product${keys}`
}
/** A product besides the first one, still to be typed. */
export const emptyProduct = (): ProductValues & { key: string } => ({ ...noProduct, key: newKey() })

type ShownProduct = Partial<FurtherProduct>
const productValues = (one: ShownProduct): ProductValues => ({
  ...{ product: one.product ?? '', variety: one.variety ?? '', hsCode: one.hsCode ?? '', gtin: one.gtin ?? '' },
  ...{ gtinUnchecked: one.gtinUnchecked ?? false, quantity: one.quantity ?? '', quantityUnit: one.quantityUnit ?? '' },
  ...{ minC: one.minC ?? '', maxC: one.maxC ?? '' },
})
const furtherValues = (all: readonly ShownProduct[]) => all.map((one) => ({ ...productValues(one), key: newKey() }))

const numberOrNull = (typed: number | string) => (typed === '' ? null : Number(typed))
/** The limits of products as they are typed, for what all of them share. */
export const rangesOf = ({ furtherProducts, ...first }: ShipmentValues) =>
  [first, ...furtherProducts].map(({ product, minC, maxC }) => ({
    ...{ product, minC: numberOrNull(minC), maxC: numberOrNull(maxC) },
  }))

const productBody = (one: ProductValues): GivenProduct => ({
  ...{ product: one.product, variety: one.variety.trim() || null },
  ...{ hsCode: one.hsCode.trim() || null, gtin: one.gtin.trim() || null },
  ...(one.gtin && one.gtinUnchecked && { gtinUnchecked: true }),
  ...{ quantity: numberOrNull(one.quantity), quantityUnit: (one.quantityUnit || null) as QuantityUnit | null },
  ...{ minC: numberOrNull(one.minC), maxC: numberOrNull(one.maxC) },
})

export const emptyShipment = (): ShipmentValues => ({
  ...empty(texts),
  ...empty(numbers),
  ...noProduct,
  ...{ logistics: 'external', grossWeightKg: '', originId: '', destinationId: '', furtherProducts: [] },
  ...{ legs: [emptyLeg()], devices: [], budget: noBudget },
})

const local = (at: string | null, zone: string) => (at === null ? '' : localTimeOf(at, zone).slice(0, 16))
const legValues = (leg: ShipmentLeg): LegValues => ({
  ...emptyLeg(leg.mode),
  ...(Object.fromEntries(legTexts.map((name) => [name, leg[name] ?? ''])) as Record<(typeof legTexts)[number], string>),
  stored: leg,
  ...{ containerUnchecked: leg.containerUnchecked, awbUnchecked: leg.awbUnchecked, imoUnchecked: leg.imoUnchecked },
  ...{ etd: local(leg.etd, leg.fromZone), eta: local(leg.eta, leg.toZone) },
})

/** The form of a shipment that is there. */
export const valuesOfShipment = (shipment: ShipmentDetails): ShipmentValues => ({
  ...emptyShipment(),
  ...(Object.fromEntries(
    texts.map((name) => [name, name === 'partnerId' ? (shipment.partner?.id ?? '') : (shipment[name] ?? '')]),
  ) as Record<(typeof texts)[number], string>),
  ...(Object.fromEntries(numbers.map((name) => [name, shipment[name] ?? ''])) as Record<
    (typeof numbers)[number],
    number
  >),
  ...productValues(shipment),
  ...{ logistics: shipment.logistics, furtherProducts: furtherValues(shipment.furtherProducts) },
  grossWeightKg: shipment.grossWeightG === null ? '' : shipment.grossWeightG / 1000,
  ...{ originId: shipment.origin.id, destinationId: shipment.destination.id, legs: shipment.legs.map(legValues) },
  budget: budgetValues(shipment.budget),
  devices: shipment.devices
    .filter(({ leftAt }) => leftAt === null)
    .map(({ id, name, place, palletRef, sscc, ssccUnchecked }) => ({
      ...{ id, name, place, palletRef: palletRef ?? '', sscc: sscc ?? '', ssccUnchecked },
    })),
})

const writtenIn = <K extends string>(names: readonly K[], of: Record<K, string | null>) =>
  Object.fromEntries(names.map((name) => [name, of[name] ?? ''])) as Record<K, string>

/** Times are left out: a document tells instants, and the form clocks at ports that are not looked up yet. */
const legOfDocument = (leg: EpcisLeg): LegValues => ({
  ...emptyLeg(leg.mode),
  ...writtenIn(
    ['fromPort', 'toPort', 'vesselName', 'imo', 'voyage', 'flightNumber', 'containerNo', 'awb', 'sealNo'],
    leg,
  ),
})

/** The form of a shipment that begins with what a supplier's document says of it. */
export const valuesOfDocument = (draft: NonNullable<EpcisRead['draft']>): ShipmentValues => ({
  ...emptyShipment(),
  ...writtenIn(['reference', 'lot', 'loadingOn', 'departureOn'], draft),
  ...productValues({ ...draft, product: draft.product ?? '' }),
  furtherProducts: furtherValues(draft.furtherProducts.map((one) => ({ ...one, product: one.product ?? '' }))),
  pallets: draft.pallets ?? '',
  ...{ originId: draft.origin?.id ?? '', destinationId: draft.destination?.id ?? '' },
  legs: draft.legs.length > 0 ? draft.legs.map(legOfDocument) : [emptyLeg()],
})

const ofMode: Record<LegMode, readonly (typeof legTexts)[number][]> = {
  sea: ['carrierName', 'bookingNumber', 'vesselName', 'imo', 'voyage', 'containerNo', 'sealNo'],
  air: ['carrierName', 'flightNumber', 'awb', 'houseAwb', 'bookingNumber', 'sealNo'],
  road: ['carrierName', 'bookingNumber', 'containerNo', 'sealNo'],
  rail: ['carrierName', 'bookingNumber', 'containerNo', 'sealNo'],
}
const ofAll = ['fromPort', 'toPort', 'fromName', 'toName', 'etd', 'eta'] as const

/** The fields that a leg of a mode has in the form; others are not sent. */
export const fieldsOfMode = (mode: LegMode) => ofMode[mode]

/** The things that a stored leg has besides the fields of the form: they stay where what they belong to does. */
function besidesForm({ stored, ...leg }: LegValues): Partial<GivenLeg> {
  if (!stored) return {}
  const isSame = (...names: (typeof legTexts)[number][]) =>
    names.every((name) => leg[name].trim() === (stored[name] ?? ''))
  const stays = stored.mode === leg.mode
  return {
    id: stored.id,
    ...(stays && isSame('flightNumber') && { carrierCode: stored.carrierCode }),
    ...(stays && isSame('fromPort', 'fromName') && { fromZone: stored.fromZone }),
    ...(stays && isSame('toPort', 'toName') && { toZone: stored.toZone }),
  }
}

const legBody = (leg: LegValues): GivenLeg => ({
  ...besidesForm(leg),
  mode: leg.mode,
  ...Object.fromEntries([...ofAll, ...ofMode[leg.mode]].map((name) => [name, leg[name].trim() || null])),
  ...(leg.containerNo && leg.containerUnchecked && { containerUnchecked: true }),
  ...(leg.awb && leg.awbUnchecked && { awbUnchecked: true }),
  ...(leg.imo && leg.imoUnchecked && { imoUnchecked: true }),
})

/** The shipment that a form asks for. */
export const bodyOf = (values: ShipmentValues): z.input<typeof NewShipment> => ({
  ...{ logistics: values.logistics, originId: values.originId },
  ...productBody(values),
  furtherProducts: values.furtherProducts.map(productBody),
  destinationId: values.destinationId,
  ...(Object.fromEntries(texts.map((name) => [name, values[name].trim() || null])) as Pick<
    z.input<typeof NewShipment>,
    (typeof texts)[number]
  >),
  ...Object.fromEntries(numbers.map((name) => [name, numberOrNull(values[name])])),
  grossWeightG: values.grossWeightKg === '' ? null : Math.round(Number(values.grossWeightKg) * 1000),
  legs: values.legs.map(legBody),
  budget: budgetOf(values.budget) ?? null,
  devices: values.devices.map(({ id, place, palletRef, sscc, ssccUnchecked }) => ({
    ...{ id, place, palletRef: palletRef.trim() || null, sscc: sscc.trim() || null },
    ...(sscc && ssccUnchecked && { ssccUnchecked }),
  })),
})
