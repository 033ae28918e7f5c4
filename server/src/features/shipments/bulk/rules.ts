import { type Message, messagesOf } from '@isotherm/contract/errors.ts'
import { NewShipment } from '@isotherm/contract/shipment-calls.ts'
import { maxProducts } from '@isotherm/contract/shipment-products.ts'
import type { ShipmentEnd, ShipmentPartner } from '@isotherm/contract/shipments.ts'
import type { BulkLine, BulkLines, BulkRules, ThingFault } from '../../../core/bulk/bulk-rules.ts'
import type { CarriedDevice } from '../../../core/bulk/readers.ts'
import { saidOnce } from '../../../core/bulk/said-once.ts'
import { linesByReference } from '../../../core/bulk/together.ts'
import { amongPorts, type KnownPort } from '../../../core/ports/ports.ts'
import { lowerCase } from '../../../platform/db/lower-case.ts'
import { Faults } from '../../../platform/errors/faults.ts'
import { sheetRule } from '../../../platform/sheets/sheet.ts'
import type { NamedDevice, OpenCarriage } from '../check-queries.ts'
import { locodeMeant } from '../draft-legs.ts'
import { type DraftedShipment, draftShipment } from '../draft-shipment.ts'
import { type answers, ofProduct, shipmentColumns } from './columns.ts'
import { carriageNumbers, findCopies } from './copies.ts'

/** All that a file names, to be looked up: names in small letters. */
export interface ShipmentAsk {
  /** How many shipments it would make. */
  shipments: number
  origins: string[]
  destinations: string[]
  partners: string[]
  ports: string[]
  imeis: string[]
  references: string[]
  containers: string[]
  waybills: string[]
  houseWaybills: string[]
}

export interface BulkShipmentFacts {
  now: Date
  companyZone: string
  by: { id: string; name: string }
  origins: (ShipmentEnd & { named: string })[]
  destinations: (ShipmentEnd & { named: string })[]
  partners: ShipmentPartner[]
  ports: KnownPort[]
  devices: NamedDevice[]
  /** References of other shipments, in small letters. */
  taken: string[]
  /** Legs of shipments that are not over with a container or waybill of the file. */
  open: OpenCarriage[]
}

interface Values {
  origin?: string
  destination?: string
  partner?: string
  grossWeightKg?: number
  gtinUnchecked?: (typeof answers)[number]
  reference?: string
  fromPort?: string
  toPort?: string
  devices?: CarriedDevice[]
  [column: string]: unknown
}

const valuesOf = ({ values }: BulkLine) => values as Values
const distinct = (lines: readonly BulkLine[], of: (values: Values) => readonly (string | undefined)[]) => [
  ...new Set(lines.flatMap((line) => of(valuesOf(line)).flatMap((value) => value ?? []))),
]

const ofLeg = new Set([
  ...(['mode', 'fromPort', 'toPort', 'vesselName', 'imo', 'voyage', 'carrierName', 'flightNumber', 'awb'] as const),
  ...([
    'houseAwb',
    'bookingNumber',
    'containerNo',
    'sealNo',
    'etd',
    'eta',
    'containerUnchecked',
    'awbUnchecked',
    'imoUnchecked',
  ] as const),
])
const isOfLeg = (name: string) => ofLeg.has(name as 'mode')

/** The leg of a shipment. */
const legOf = (values: Values) =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) =>
      isOfLeg(name) ? [[name, name.endsWith('Unchecked') ? value === 'yes' : value]] : [],
    ),
  )

const productColumns = new Set(ofProduct.map(({ name }) => name))
/** Columns that further rows of a shipment repeat or leave out. */
const sharedColumns = shipmentColumns
  .map(({ name }) => name)
  .filter((name) => !productColumns.has(name) && name !== 'devices')

/** The product of a row. */
function productOf({ values }: BulkLine) {
  const entries = Object.entries(values).filter(([name]) => productColumns.has(name))
  return Object.fromEntries(entries.map(([name, value]) => [name, name === 'gtinUnchecked' ? value === 'yes' : value]))
}

const columnsOfFields: Record<string, string> = {
  ...{ originId: 'origin', destinationId: 'destination', partnerId: 'partner', grossWeightG: 'grossWeightKg' },
}

/** The row and column that a field of a shipment is read from. */
function placeOf(path: string, lines: BulkLines, from: Record<string, BulkLine>, deviceLines: readonly BulkLine[]) {
  const [first = '', at = '', field = ''] = path.split('.')
  if (first === 'furtherProducts')
    return at === ''
      ? { line: lines[maxProducts] ?? lines[0], column: 'product' }
      : { line: lines[Number(at) + 1] ?? lines[0], column: productColumns.has(field) ? field : null }
  if (first === 'devices') return { line: deviceLines[Number(at)] ?? lines[0], column: 'devices' }
  const name = first === 'legs' ? field : (columnsOfFields[first] ?? first)
  const isColumn = shipmentColumns.some((column) => column.name === name)
  return { line: from[name] ?? lines[0], column: isColumn ? name : null }
}

const needed: Message = { key: 'fields.required', values: {} }
/** Its choices are the API's, in no language of the person. */
const isOfChoice = ({ key }: Message) => key === 'fields.choice' || key === 'fields.invalid'
const isEmpty = ({ line, column }: ReturnType<typeof placeOf>) =>
  column !== null && (line.texts[column]?.trim() ?? '') === ''

const field = (name: string): Message => ({ key: `fields.rule.${name}`, values: {} })

/** A row is a product of a shipment of one leg; rows with the same reference are one shipment. */
export const rules: BulkRules<ShipmentAsk, BulkShipmentFacts, DraftedShipment> = {
  columns: shipmentColumns,
  together: linesByReference,
  ask: (lines) => ({
    shipments: linesByReference(lines).length,
    origins: distinct(lines, ({ origin }) => [origin && lowerCase(origin)]),
    destinations: distinct(lines, ({ destination }) => [destination && lowerCase(destination)]),
    partners: distinct(lines, ({ partner }) => [partner && lowerCase(partner)]),
    ports: distinct(lines, ({ fromPort, toPort }) =>
      [fromPort, toPort].flatMap((code) => (code ? [code, locodeMeant(code)] : [])),
    ),
    imeis: distinct(lines, ({ devices = [] }) => devices.map(({ imei }) => imei)),
    references: distinct(lines, ({ reference }) => [reference && lowerCase(reference)]),
    containers: carriageNumbers(lines, 'containerNo'),
    waybills: carriageNumbers(lines, 'awb'),
    houseWaybills: carriageNumbers(lines, 'houseAwb'),
  }),
  compare: findCopies,
  check(facts) {
    const named = <T extends { named: string }>(all: readonly T[]) => new Map(all.map((one) => [one.named, one]))
    const [origins, destinations] = [named(facts.origins), named(facts.destinations)]
    const partners = Map.groupBy(
      facts.partners.flatMap((partner) =>
        [...new Set([lowerCase(partner.companyName), lowerCase(partner.email)])].map((name) => ({ name, partner })),
      ),
      ({ name }) => name,
    )
    const byId = <T extends { id: string }>(all: readonly T[]) => {
      const known = new Map(all.map((one) => [String(one.id), one]))
      return (id: string) => known.get(id)
    }
    const byImei = Map.groupBy(facts.devices, ({ imei }) => imei)
    const taken = new Set(facts.taken)
    const known = {
      ...{ now: facts.now, companyZone: facts.companyZone, by: facts.by, port: amongPorts(facts.ports) },
      ...{ origin: byId(facts.origins), destination: byId(facts.destinations), partner: byId(facts.partners) },
      devices: new Map(facts.devices.map((device) => [String(device.id), device])),
    }
    return (lines) => {
      const { values: said, from, faults: differing } = saidOnce(lines, sharedColumns, 'differsInShipment')
      const values = said as Values
      const faults: ThingFault[] = [
        ...lines.flatMap((line) => line.faults.map((fault) => ({ line, ...fault }))),
        ...differing,
      ]
      const at = (column: string) => ({ line: from[column] ?? lines[0], column })
      const find = <T>(column: string, name: string | undefined, lookUp: (name: string) => T | undefined) => {
        if (name === undefined) return undefined
        const one = lookUp(lowerCase(name))
        if (one === undefined)
          faults.push({ ...at(column), message: sheetRule('unknownName', { name: name.slice(0, 60) }) })
        return one
      }
      const origin = find('origin', values.origin, (name) => origins.get(name))
      const destination = find('destination', values.destination, (name) => destinations.get(name))
      const alike = find('partner', values.partner, (name) => partners.get(name))
      if (alike && alike.length > 1) faults.push({ ...at('partner'), message: sheetRule('partnersAlike') })
      if (values.reference && taken.has(lowerCase(values.reference)))
        faults.push({ ...at('reference'), message: field('referenceTaken') })
      const carried = devicesOf(lines, byImei, faults)
      const [{ product, ...first }, ...further] = lines.map(productOf) as [Values, ...Values[]]
      const {
        origin: _o,
        destination: _d,
        partner: _p,
        grossWeightKg,
        ...goods
      } = Object.fromEntries(Object.entries(values).filter(([name]) => !isOfLeg(name))) as Values
      const { data, error } = NewShipment.safeParse({
        ...{ ...goods, product, ...first },
        ...(further.length > 0 && { furtherProducts: further }),
        ...{ originId: origin?.id, destinationId: destination?.id },
        ...(alike && { partnerId: alike[0]?.partner.id }),
        ...(grossWeightKg !== undefined && { grossWeightG: Math.round(grossWeightKg * 1_000) }),
        legs: [legOf(values)],
        ...(carried.length > 0 && {
          devices: carried.map(({ device, place, sscc }) => ({ id: String(device.id), place, sscc })),
        }),
      })
      const lineOfDevices = carried.map(({ line }) => line)
      if (error) {
        const ofFields = messagesOf(error).map(({ path, message }) => {
          const place = placeOf(path, lines, from, lineOfDevices)
          return { ...place, message: isEmpty(place) && isOfChoice(message) ? needed : message }
        })
        return { faults: [...faults, ...ofFields] }
      }
      const drafting = new Faults()
      const thing = draftShipment(known, data, drafting)
      faults.push(
        ...drafting.all.map(({ path, message }) => ({ ...placeOf(path, lines, from, lineOfDevices), message })),
      )
      return faults.length > 0 ? { faults } : { thing }
    }
  },
}

interface Carried {
  device: NamedDevice
  place: string
  sscc: string | undefined
  line: BulkLine
}

/** The devices of all rows, each once, whatever row says it again. */
function devicesOf(
  lines: BulkLines,
  byImei: ReadonlyMap<string, readonly NamedDevice[]>,
  faults: ThingFault[],
): Carried[] {
  const carried: Carried[] = []
  for (const line of lines) {
    const before = new Set(carried.map(({ device }) => device.id))
    for (const { imei, probe, place, sscc } of valuesOf(line).devices ?? []) {
      const there = (byImei.get(imei) ?? []).filter((device) => probe === null || device.probe === probe)
      const [device] = there
      if (!device || there.length > 1)
        faults.push({ line, column: 'devices', message: sheetRule(device ? 'whichProbe' : 'unknownDevice', { imei }) })
      else if (!before.has(device.id)) carried.push({ device, place, sscc, line })
    }
  }
  return carried
}
