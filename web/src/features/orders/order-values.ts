import type { Locale } from '@isotherm/contract/common.ts'
import type { NewItem, NewOrder } from '@isotherm/contract/new-order.ts'
import type { OrderPattern } from '@isotherm/contract/order-templates.ts'
import { type OrderDetails, orderLimits, type Rule } from '@isotherm/contract/orders.ts'
import { localDayOf, localTimeOf, plusDays } from '@isotherm/contract/zone-times.ts'
import type { z } from 'zod'
import { shownZone } from '../../lib/times.ts'
import { gramsOf, majorOf, minorOf } from './typed-amounts.ts'

export interface StopValues {
  address: string
  /** Null: not on the map yet. */
  lat: number | null
  lon: number | null
  radiusM: number
  timezone?: string | undefined
  country?: string | undefined
}

export interface PartyValues {
  contactId: string | null
  name: string
  company: string
  email: string
  phone: string
}

/** As it is typed: kilograms, and whole units of the currency. */
export interface ItemValues {
  key: string
  name: string
  quantity: number | string
  unitCount: number | string
  weightG: number | string
  worth: number | string
  note: string
}

export interface ReceiverValues extends PartyValues {
  key: string
  /** The id of one that is there already. */
  id?: string | undefined
  stop: StopValues
  /** The language that the receiver is written to in; this form does not show it. */
  locale?: Locale | null | undefined
  windowFrom: string
  windowBy: string
  items: ItemValues[]
}

/** The form of an order. Times are those that clocks show at the place. */
export interface OrderValues {
  reference: string
  sender: PartyValues
  pickup: StopValues
  pickupAt: string
  deliverBy: string
  receivers: ReceiverValues[]
  driverId: string | null
  vehicleId: string | null
  devices: { id: string; name: string; role: 'cargo' | 'vehicle'; receiver: number | null }[]
  startRule: Rule
  endRule: Rule
  deliveryFee: number | string
  insurancePlanId: string
  note: string
  /** Kept as they are: this form does not show them. */
  kept: Pick<OrderPattern, 'showsPrivate' | 'lot' | 'budget' | 'otherLines'>
}

let keys = 0
const newKey = (): string => {
  keys += 1
  return `n${keys}`
}

const emptyParty = (): PartyValues => ({ contactId: null, name: '', company: '', email: '', phone: '' })
const emptyStop = (): StopValues => ({ address: '', lat: null, lon: null, radiusM: orderLimits.radiusM })
export const emptyItem = (): ItemValues => ({
  ...{ key: newKey(), name: '', quantity: 1, unitCount: 1, weightG: '', worth: '', note: '' },
})
export const emptyReceiver = (): ReceiverValues => ({
  ...{ ...emptyParty(), key: newKey(), stop: emptyStop(), windowFrom: '', windowBy: '', items: [emptyItem()] },
})
/** The clock of a delivery where nobody says another one: the end of a working day. */
export const deliveryClock = '17:00'

export const emptyOrder = (): OrderValues => ({
  ...{ reference: '', sender: emptyParty(), pickup: emptyStop(), pickupAt: '' },
  deliverBy: `${plusDays(localDayOf(Date.now(), shownZone()), 1)}T${deliveryClock}`,
  ...{ receivers: [emptyReceiver()], driverId: null, vehicleId: null, devices: [], startRule: 'hand', endRule: 'hand' },
  ...{ deliveryFee: '', insurancePlanId: '', note: '' },
  kept: { showsPrivate: false, lot: null, budget: null, otherLines: [] },
})

const partyOf = (party: OrderPattern['sender']): PartyValues => ({
  ...{ contactId: party.contactId, name: party.name, company: party.company ?? '' },
  ...{ email: party.email ?? '', phone: party.phone ?? '' },
})

const itemOf = (item: NewItem, currency: string): ItemValues => ({
  ...{ key: newKey(), name: item.name, quantity: item.quantity, unitCount: item.unitCount, note: item.note ?? '' },
  weightG: item.weightG === null ? '' : item.weightG / 1_000,
  worth: item.worth === null ? '' : majorOf(item.worth, currency),
})

/** Whether the amounts of a pattern are in another currency than an order that is made now. */
export const isForeign = ({ currency }: OrderPattern, inUse: string | null): boolean =>
  Boolean(currency) && inUse !== null && currency !== inUse

const withoutAmounts = (order: OrderPattern): OrderPattern => ({
  ...{ ...order, deliveryFee: null, otherLines: [] },
  receivers: order.receivers.map((receiver) => ({
    ...receiver,
    items: receiver.items.map((item) => ({ ...item, worth: null })),
  })),
})

/** The form of an order that is like another one; without its amounts where they are in another currency. */
export function valuesOfPattern(pattern: OrderPattern, currency: string): OrderValues {
  const order = isForeign(pattern, currency) ? withoutAmounts(pattern) : pattern
  return {
    ...emptyOrder(),
    ...{ reference: order.reference ?? '', sender: partyOf(order.sender), pickup: order.pickup },
    receivers: order.receivers.map((receiver) => ({
      ...{
        ...partyOf(receiver),
        key: newKey(),
        stop: receiver.stop,
        locale: receiver.locale,
        windowFrom: '',
        windowBy: '',
      },
      items: receiver.items.map((item) => itemOf(item, currency)),
    })),
    ...{ driverId: order.driverId, vehicleId: order.vehicleId, startRule: order.startRule, endRule: order.endRule },
    devices: order.devices.map((device) => ({ ...device, name: '' })),
    deliveryFee: order.deliveryFee === null ? '' : majorOf(order.deliveryFee, currency),
    note: order.note ?? '',
    kept: { showsPrivate: order.showsPrivate, lot: order.lot, budget: order.budget, otherLines: order.otherLines },
  }
}

/** The form of an order that is there. */
export function valuesOfOrder(order: OrderDetails, pattern: OrderPattern, currency: string): OrderValues {
  const receivers = order.receiverList.filter(({ items }) => items.length > 0)
  const local = (at: string | null, zone: string) => (at === null ? '' : localTimeOf(at, zone))
  const values = valuesOfPattern(pattern, currency)
  const names = new Map(order.devices.map(({ id, name }) => [id, name]))
  return {
    ...values,
    pickupAt: local(order.pickupAt, order.pickup.timezone),
    deliverBy: localTimeOf(order.deliverBy, order.timezone),
    receivers: values.receivers.map((receiver, index) => ({
      ...receiver,
      id: receivers[index]?.id,
      windowFrom: local(receivers[index]?.windowFrom ?? null, receivers[index]?.stop.timezone ?? 'UTC'),
      windowBy: local(receivers[index]?.windowBy ?? null, receivers[index]?.stop.timezone ?? 'UTC'),
    })),
    devices: values.devices.map((device) => ({ ...device, name: names.get(device.id) ?? '' })),
    kept: { ...values.kept, showsPrivate: order.showsPrivate },
  }
}

const textOrNull = (text: string): string | null => text.trim() || null
const partyBody = (party: PartyValues) => ({
  ...{ contactId: party.contactId, name: party.name, company: textOrNull(party.company) },
  ...{ email: textOrNull(party.email), phone: textOrNull(party.phone) },
})
const stopBody = ({ address, lat, lon, radiusM, timezone, country }: StopValues) => ({
  ...{ address, radiusM },
  // Where there is none, the schema says that it is needed.
  ...{ lat: lat ?? (undefined as unknown as number), lon: lon ?? (undefined as unknown as number) },
  ...(timezone && { timezone }),
  ...(country && { country }),
})

/** The order that a form asks for. */
export function bodyOf(values: OrderValues, inUse: string | null): z.input<typeof NewOrder> {
  const currency = inUse ?? 'USD'
  return {
    ...{ reference: textOrNull(values.reference), sender: partyBody(values.sender), pickup: stopBody(values.pickup) },
    ...{ pickupAt: values.pickupAt || null, deliverBy: values.deliverBy },
    receivers: values.receivers.map((receiver) => ({
      ...{ ...partyBody(receiver), stop: stopBody(receiver.stop), locale: receiver.locale ?? null },
      ...{ windowFrom: receiver.windowFrom || null, windowBy: receiver.windowBy || null },
      items: receiver.items.map((item) => ({
        ...{ name: item.name, quantity: Number(item.quantity), unitCount: Number(item.unitCount) },
        ...{ weightG: gramsOf(item.weightG), worth: minorOf(item.worth, currency), note: textOrNull(item.note) },
      })),
    })),
    ...{ driverId: values.driverId || null, vehicleId: values.vehicleId || null },
    devices: values.devices.map(({ id, role, receiver }) => ({
      ...{ id, role, receiver: receiver !== null && receiver < values.receivers.length ? receiver : null },
    })),
    ...{ startRule: values.startRule, endRule: values.endRule, ...values.kept },
    currency: inUse,
    deliveryFee: minorOf(values.deliveryFee, currency),
    ...{ insurancePlanId: values.insurancePlanId || null, note: textOrNull(values.note) },
  }
}

/** The worth of all items, in minor units. */
export const worthOf = (values: OrderValues, currency: string): number =>
  values.receivers.flatMap(({ items }) => items).reduce((sum, { worth }) => sum + (minorOf(worth, currency) ?? 0), 0)
