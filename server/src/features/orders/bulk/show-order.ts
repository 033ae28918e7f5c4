import type { Locale } from '@isotherm/contract/common.ts'
import { writeTime } from '@isotherm/contract/times.ts'
import type { BulkLine, BulkLines } from '../../../core/bulk/bulk-rules.ts'
import type { deviceDrafts, orderColumns, receiverDrafts } from '../order-rows.ts'
import type { BulkOrderFacts } from './bulk-facts.ts'
import { stopsOf } from './together.ts'

/** An order as the columns of its tables. */
export interface StoredOrder {
  order: ReturnType<typeof orderColumns>
  receivers: ReturnType<typeof receiverDrafts>
  devices: ReturnType<typeof deviceDrafts>
  warnings: string[]
}

type Cells = Record<string, string | null | undefined>

/** An order as its preview tells it: what a contact filled in, phone numbers in full, times by the clocks of their places. */
export const showOrder =
  (facts: BulkOrderFacts, locale: Locale) =>
  (thing: StoredOrder, lines: BulkLines): Map<BulkLine, Record<string, string>> => {
    const shown = new Map<BulkLine, Record<string, string>>()
    const orderCells = cellsOfOrder(thing, facts, locale)
    for (const [index, own] of stopsOf(lines).entries()) {
      const receiver = thing.receivers[index]
      const receiverCells = receiver ? cellsOfReceiver(receiver, locale) : {}
      for (const line of own)
        shown.set(line, {
          ...told(orderCells, line, line === lines[0]),
          ...told(receiverCells, line, line === own[0]),
        })
    }
    return shown
  }

/** The cells of a line: all of the first line, of further ones those that say something themselves. */
const told = (cells: Cells, { texts }: BulkLine, isFirst: boolean): Record<string, string> =>
  Object.fromEntries(
    Object.entries(cells).flatMap(([name, text]) => (text && (isFirst || texts[name]) ? [[name, text]] : [])),
  )

function cellsOfOrder({ order, receivers }: StoredOrder, facts: BulkOrderFacts, locale: Locale): Cells {
  const sender = JSON.parse(order.sender) as Record<'name' | 'phone' | 'email', string | null>
  const driver = facts.drivers.find(({ id }) => id === order.driver_id)
  const vehicle = facts.vehicles.find(({ id }) => id === order.vehicle_id)
  return {
    ...{ sender: sender.name, senderPhone: sender.phone, senderEmail: sender.email, pickup: order.pickup_address },
    ...{ pickupLat: String(order.pickup_lat), pickupLon: String(order.pickup_lon) },
    pickupAt: timeOf(locale, order.pickup_zone, order.pickup_at),
    deliverBy: timeOf(locale, receivers.at(-1)?.zone ?? order.pickup_zone, order.deliver_by),
    driver: driver?.name,
    vehicle: vehicle && [vehicle.name, vehicle.plate].filter(Boolean).join(', '),
  }
}

function cellsOfReceiver(receiver: StoredOrder['receivers'][number], locale: Locale): Cells {
  const { name, company_name, phone, email, address, lat, lon, zone, window_from, window_by } = receiver
  return {
    ...{ receiver: name, receiverCompany: company_name, receiverPhone: phone, receiverEmail: email, address },
    ...{ lat: String(lat), lon: String(lon) },
    ...{ windowFrom: timeOf(locale, zone, window_from), windowBy: timeOf(locale, zone, window_by) },
  }
}

const timeOf = (locale: Locale, zone: string, at: Date | string | null | undefined) =>
  at ? writeTime(locale, zone, new Date(at)) : null
