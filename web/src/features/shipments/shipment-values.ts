import type { EpcisLeg, EpcisRead } from '@isotherm/contract/epcis.ts'
import { betterIncoterm, incoterm } from '@isotherm/contract/incoterms.ts'
import type { GivenLeg, NewShipment } from '@isotherm/contract/shipment-calls.ts'
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
  ...([
    'reference',
    'trackingNumber',
    'variety',
    'hsCode',
    'gtin',
    'incoterm',
    'incotermPlace',
    'region',
    'country',
    'personOfContact',
  ] as const),
  ...(['partnerId', 'regimeCode', 'loadingOn', 'departureOn', 'note', 'lot'] as const),
]
const numbers = ['pallets', 'setPointC', 'minC', 'maxC'] as const

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

/** The form of a shipment; weights in kilograms. */
export type ShipmentValues = Record<(typeof texts)[number], string> &
  Record<(typeof numbers)[number], number | string> & {
    logistics: 'internal' | 'external'
    product: string
    grossWeightKg: number | string
    gtinUnchecked: boolean
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

export const emptyShipment = (): ShipmentValues => ({
  ...empty(texts),
  ...empty(numbers),
  ...{ logistics: 'external', product: '', grossWeightKg: '', gtinUnchecked: false, originId: '', destinationId: '' },
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
  ...{ logistics: shipment.logistics, product: shipment.product, gtinUnchecked: shipment.gtinUnchecked },
  grossWeightKg: shipment.grossWeightG === null ? '' : shipment.grossWeightG / 1000,
  ...{ originId: shipment.origin.id, destinationId: shipment.destination.id, legs: shipment.legs.map(legValues) },
  budget: budgetValues(shipment.budget),
  devices: shipment.devices.map(({ id, name, place, palletRef, sscc, ssccUnchecked }) => ({
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
  ...writtenIn(['reference', 'product', 'gtin', 'lot', 'loadingOn', 'departureOn'], draft),
  pallets: draft.pallets ?? '',
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
  ...{ logistics: values.logistics, product: values.product, originId: values.originId },
  destinationId: values.destinationId,
  ...(Object.fromEntries(texts.map((name) => [name, values[name].trim() || null])) as Pick<
    z.input<typeof NewShipment>,
    (typeof texts)[number]
  >),
  ...Object.fromEntries(numbers.map((name) => [name, values[name] === '' ? null : Number(values[name])])),
  ...(values.gtin && values.gtinUnchecked && { gtinUnchecked: true }),
  grossWeightG: values.grossWeightKg === '' ? null : Math.round(Number(values.grossWeightKg) * 1000),
  legs: values.legs.map(legBody),
  budget: budgetOf(values.budget) ?? null,
  devices: values.devices.map(({ id, place, palletRef, sscc, ssccUnchecked }) => ({
    ...{ id, place, palletRef: palletRef.trim() || null, sscc: sscc.trim() || null },
    ...(sscc && ssccUnchecked && { ssccUnchecked }),
  })),
})
