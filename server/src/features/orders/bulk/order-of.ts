import { minorDigits } from '@isotherm/contract/money.ts'
import type { BulkLine, BulkLines, ThingFault } from '../../../core/bulk/bulk-rules.ts'
import type { CarriedDevice } from '../../../core/bulk/readers.ts'
import { saidOnce } from '../../../core/bulk/said-once.ts'
import { sheetRule } from '../../../platform/sheets/sheet.ts'
import { ofItem, ofJourney, ofOrder, ofReceiver } from './columns.ts'
import type { Known } from './known.ts'
import { partyOf, stopOf, type TypedParty } from './parties.ts'
import { stopsOf } from './together.ts'

interface Place {
  line: BulkLine
  column: string
}

/** The body of an order as its lines say it, which its schema is still to read; where each of its fields stands; and what is wrong already. */
export interface ReadOrder {
  body: Record<string, unknown>
  placeOf(path: string): Place | { line: BulkLine; column: null }
  faults: ThingFault[]
}

const names = (columns: readonly { name: string }[]) => columns.map(({ name }) => name)
const orderColumns = [...names(ofOrder), ...names(ofJourney)].filter((name) => name !== 'devices')
const receiverColumns = names(ofReceiver)
const itemColumns = new Set(names(ofItem))

const columnsOfOrder: Record<string, string> = {
  ...{ 'sender.name': 'sender', 'sender.phone': 'senderPhone', 'sender.email': 'senderEmail' },
  ...{ 'pickup.address': 'pickup', 'pickup.lat': 'pickupLat', 'pickup.lon': 'pickupLon' },
  ...{ driverId: 'driver', vehicleId: 'vehicle', receivers: 'reference' },
}
const columnsOfReceiver: Record<string, string> = {
  ...{ name: 'receiver', company: 'receiverCompany', phone: 'receiverPhone', email: 'receiverEmail' },
  ...{ locale: 'language', 'stop.address': 'address', 'stop.lat': 'lat', 'stop.lon': 'lon', items: 'item' },
}
const columnsOfItem: Record<string, string> = { name: 'item', weightG: 'weightKg', note: 'itemNote' }

/** Reads the lines of an order. */
export function readOrder(known: Known, lines: BulkLines): ReadOrder {
  const order = saidOnce(lines, orderColumns, 'differsInOrder')
  const stops = stopsOf(lines)
  const receivers = stops.map((own) => ({ own, ...saidOnce(own, receiverColumns, 'differsInReceiver') }))
  const faults: ThingFault[] = [...order.faults, ...receivers.flatMap((receiver) => receiver.faults)]
  const atOrder = (column: string): Place => ({ line: order.from[column] ?? lines[0], column })
  const money = (value: unknown, place: Place): number | undefined => {
    if (typeof value !== 'number') return undefined
    if (known.currency !== null) return Math.round(value * 10 ** minorDigits(known.currency))
    faults.push({ ...place, message: { key: 'fields.rule.currencyNeeded', values: {} } })
    return undefined
  }
  const party = (typed: TypedParty, place: Place, positionColumn: string) => {
    const alike = typed.name === undefined ? [] : known.contacts(typed.name)
    const contact = alike.length === 1 ? alike[0] : undefined
    const { stop, isPlaced } = stopOf(typed, contact)
    if (!isPlaced && alike.length > 1)
      faults.push({ ...place, message: sheetRule('alike', { name: (typed.name ?? '').slice(0, shownName) }) })
    if (!isPlaced) faults.push({ ...place, column: positionColumn, message: sheetRule('positionNeeded') })
    return { ...partyOf(typed, contact), stop }
  }
  const one = <T>(column: string, find: (name: string) => readonly T[]): T | undefined => {
    const name = order.values[column]
    if (typeof name !== 'string') return undefined
    const found = find(name)
    const values = { name: name.slice(0, shownName) }
    if (found.length !== 1)
      faults.push({ ...atOrder(column), message: sheetRule(found[0] ? 'alike' : 'unknownName', values) })
    return found.length === 1 ? found[0] : undefined
  }
  const of = order.values
  const { stop: pickup, ...sender } = party(typedSender(of), atOrder('sender'), 'pickup')
  const devices = devicesOf(known, lines, faults)
  const body = {
    ...given(of, ['reference', 'pickupAt', 'deliverBy', 'startRule', 'endRule', 'lot', 'note']),
    ...{ sender, pickup, devices: devices.map(({ id, role }) => ({ id, role })) },
    ...{ driverId: one('driver', known.drivers)?.id ?? null, vehicleId: one('vehicle', known.vehicles)?.id ?? null },
    deliveryFee: money(of.deliveryFee, atOrder('deliveryFee')) ?? null,
    receivers: receivers.map(({ own, values, from }) => ({
      ...party(typedReceiver(values), { line: from.receiver ?? own[0], column: 'receiver' }, 'address'),
      ...given(values, ['windowFrom']),
      locale: values.language ?? null,
      windowBy: endOfDay(values.windowBy) ?? null,
      items: own.map((line) => itemOf(line, (value) => money(value, { line, column: 'worth' }))),
    })),
  }
  const placeOf: ReadOrder['placeOf'] = (path) => {
    const [first = '', at = '', ...rest] = path.split('.')
    if (first === 'devices') return { line: devices[Number(at)]?.line ?? lines[0], column: 'devices' }
    const receiver = first === 'receivers' ? receivers[Number(at)] : undefined
    if (!receiver || at === '') {
      const column = placed(columnsOfOrder[path] ?? columnsOfOrder[first] ?? first, of)
      return orderColumns.includes(column) ? atOrder(column) : { line: lines[0], column: null }
    }
    const [name = '', item, field = ''] = rest
    if (name === 'items' && item !== undefined) {
      const column = columnsOfItem[field] ?? field
      const line = receiver.own[Number(item)] ?? receiver.own[0]
      return itemColumns.has(column) ? { line, column } : { line, column: null }
    }
    const column = placed(columnsOfReceiver[rest.join('.')] ?? name, receiver.values)
    const line = receiver.from[column] ?? receiver.own[0]
    return receiverColumns.includes(column) || column === 'item' ? { line, column } : { line, column: null }
  }
  return { body, placeOf, faults }
}

const shownName = 60
const ofPosition: Record<string, readonly [address: string, lat: string, lon: string]> = {
  ...{ pickupLat: ['pickup', 'pickupLat', 'pickupLon'], pickupLon: ['pickup', 'pickupLat', 'pickupLon'] },
  ...{ lat: ['address', 'lat', 'lon'], lon: ['address', 'lat', 'lon'] },
}

/** A position that is missing altogether is told once, at the address. */
function placed(column: string, values: Record<string, unknown>): string {
  const [address, lat, lon] = ofPosition[column] ?? []
  return address && lat && lon && !(lat in values) && !(lon in values) ? address : column
}

const given = (values: Record<string, unknown>, columns: readonly string[]) =>
  Object.fromEntries(columns.flatMap((column) => (column in values ? [[column, values[column]]] : [])))

const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)
const figure = (value: unknown) => (typeof value === 'number' ? value : undefined)

const typedSender = (of: Record<string, unknown>): TypedParty => ({
  ...{ name: text(of.sender), email: text(of.senderEmail), phone: text(of.senderPhone), address: text(of.pickup) },
  ...{ lat: figure(of.pickupLat), lon: figure(of.pickupLon) },
})

const typedReceiver = (of: Record<string, unknown>): TypedParty => ({
  ...{ name: text(of.receiver), company: text(of.receiverCompany), email: text(of.receiverEmail) },
  ...{ phone: text(of.receiverPhone), address: text(of.address), lat: figure(of.lat), lon: figure(of.lon) },
})

/** A day alone is its last minute: the window is open all day. */
const endOfDay = (value: unknown) => (typeof value === 'string' && value.length === 10 ? `${value}T23:59` : value)

const itemOf = ({ values }: BulkLine, money: (value: unknown) => number | undefined) => ({
  ...given(values, ['quantity', 'unitCount']),
  name: values.item,
  weightG: typeof values.weightKg === 'number' ? Math.round(values.weightKg * 1_000) : null,
  worth: money(values.worth) ?? null,
  note: values.itemNote ?? null,
})

/** The devices of all lines, each once, whatever line says it again. */
function devicesOf(known: Known, lines: BulkLines, faults: ThingFault[]) {
  const devices: { id: string; role: string; line: BulkLine }[] = []
  for (const line of lines) {
    const before = new Set(devices.map(({ id }) => id))
    for (const { imei, probe, place } of (line.values.devices ?? []) as CarriedDevice[]) {
      const there = known.devices(imei).filter((device) => probe === null || device.probe === probe)
      const [device] = there
      if (there.length !== 1)
        faults.push({ line, column: 'devices', message: sheetRule(device ? 'whichProbe' : 'unknownDevice', { imei }) })
      else if (device && !before.has(device.id)) devices.push({ id: device.id, role: place, line })
    }
  }
  return devices
}
