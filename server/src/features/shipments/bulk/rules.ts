import { localeNames } from '@isotherm/contract/common.ts'
import { type Message, messagesOf } from '@isotherm/contract/errors.ts'
import { incoterm } from '@isotherm/contract/incoterms.ts'
import { NewShipment } from '@isotherm/contract/shipment-calls.ts'
import {
  devicePlaces,
  incoterms,
  Logistics,
  legModes,
  type ShipmentEnd,
  type ShipmentPartner,
} from '@isotherm/contract/shipments.ts'
import type { BulkColumn, BulkLine, BulkRules, Reader, RowFault } from '../../../core/bulk/bulk-rules.ts'
import {
  type CarriedDevice,
  choice,
  code,
  day,
  decimal,
  devicesAt,
  digits,
  time,
  whole,
  words,
} from '../../../core/bulk/readers.ts'
import { amongPorts, type KnownPort } from '../../../core/ports/ports.ts'
import { Faults } from '../../../platform/errors/faults.ts'
import { countryCodes } from '../../../platform/gazetteer/country-names.ts'
import { foldName } from '../../../platform/gazetteer/fold-name.ts'
import { translate } from '../../../platform/i18n/i18n.ts'
import { sheetRule } from '../../../platform/sheets/sheet.ts'
import type { NamedDevice } from '../check-queries.ts'
import { locodeMeant } from '../draft-legs.ts'
import { type DraftedShipment, draftShipment } from '../draft-shipment.ts'

/** All that a file names, to be looked up: names in small letters. */
export interface ShipmentAsk {
  origins: string[]
  destinations: string[]
  partners: string[]
  ports: string[]
  imeis: string[]
  references: string[]
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
}

const inAll = (key: string) => localeNames.map((locale) => translate(locale, key))

const country: Reader = (cell, by) => {
  const read = words(cell, by)
  if ('message' in read) return read
  const text = String(read.value)
  if (/^[a-z]{2}$/i.test(text)) return { value: text.toUpperCase() }
  const known = localeNames.map((locale) => countryCodes(locale).get(foldName(text))).find(Boolean)
  return known ? { value: known } : { message: { key: 'fields.format.country', values: {} } }
}

/** A term of Incoterms 2020; one of an older edition is asked about. */
const term: Reader = (cell, by) => {
  const read = words(cell, by)
  const known = 'value' in read ? incoterm(String(read.value)) : { fault: 'form' as const }
  if ('value' in known) return known
  const { didYouMean } = known
  return didYouMean ? { message: sheetRule('formerIncoterm', { term: didYouMean }) } : choice(incoterms)(cell, by)
}

/** Whether somebody insists on a number whose check digit is wrong. */
const answers = ['yes', 'no'] as const
const yesOrNo = choice(answers, (value) => inAll(`shipments:ppecb.${value}`))

const celsius: Reader = (cell, by) => decimal(typeof cell === 'string' ? cell.replace(/\s*°?\s*C$/i, '') : cell, by)

export const shipmentColumns: readonly BulkColumn[] = [
  { name: 'reference', isText: true, isUnique: true, read: code, example: 'PO-2026-118' },
  { name: 'trackingNumber', isText: true, read: code, example: 'TRK-90417' },
  {
    ...{ name: 'logistics', isNeeded: true, example: 'external', choices: Logistics.options },
    read: choice(Logistics.options, (value) => inAll(`shipments:logistics.${value}`)),
  },
  { name: 'product', isNeeded: true, read: words, example: 'Oranges' },
  { name: 'variety', read: words, example: 'Valencia' },
  { name: 'hsCode', isText: true, read: digits(6, 8, 10), example: '080510' },
  { name: 'gtin', isText: true, read: digits(8, 12, 13, 14), example: '6001234500018' },
  { name: 'gtinUnchecked', read: yesOrNo, example: 'no', choices: answers },
  { name: 'pallets', read: whole, example: '20' },
  { name: 'grossWeightKg', read: decimal, example: '21500.5' },
  { name: 'incoterm', read: term, example: 'CIF', choices: incoterms },
  { name: 'incotermPlace', read: words, example: 'Rotterdam' },
  { name: 'origin', isNeeded: true, read: words, example: 'Citrusdal pack house', choices: 'origins' },
  { name: 'destination', isNeeded: true, read: words, example: 'Rotterdam importer', choices: 'destinations' },
  { name: 'region', read: words, example: 'South Holland' },
  { name: 'country', read: country, example: 'NL' },
  { name: 'personOfContact', read: words, example: 'Anna de Vries' },
  { name: 'partner', read: words, example: 'Cape Forwarders', choices: 'partners' },
  { name: 'setPointC', read: celsius, example: '4' },
  { name: 'minC', read: celsius, example: '3.5' },
  { name: 'maxC', read: celsius, example: '4.5' },
  { name: 'regimeCode', isText: true, read: code, example: 'CT1' },
  { name: 'loadingOn', read: day, example: '2026-06-20' },
  { name: 'departureOn', read: day, example: '2026-06-24' },
  {
    ...{ name: 'mode', isNeeded: true, example: 'sea', choices: legModes },
    read: choice(legModes, (value) => inAll(`shipments:mode.${value}`)),
  },
  { name: 'fromPort', read: code, example: 'ZACPT' },
  { name: 'toPort', read: code, example: 'NLRTM' },
  { name: 'vesselName', read: words, example: 'MV Orange Star' },
  { name: 'imo', isText: true, read: digits(7), example: '9074729' },
  { name: 'imoUnchecked', read: yesOrNo, example: 'no', choices: answers },
  { name: 'voyage', isText: true, read: code, example: '117E' },
  { name: 'carrierName', read: words, example: 'Cool Line' },
  { name: 'flightNumber', isText: true, read: code, example: 'KQ100' },
  { name: 'awb', isText: true, read: digits(11), example: '12512345675' },
  { name: 'awbUnchecked', read: yesOrNo, example: 'no', choices: answers },
  { name: 'houseAwb', isText: true, read: code, example: 'HAWB-77' },
  { name: 'bookingNumber', isText: true, read: code, example: 'BKG-1180' },
  { name: 'containerNo', isText: true, read: code, example: 'CSQU3054383' },
  { name: 'containerUnchecked', read: yesOrNo, example: 'no', choices: answers },
  { name: 'sealNo', isText: true, read: code, example: 'SL-4471' },
  { name: 'etd', read: time, example: '2026-06-24 18:00' },
  { name: 'eta', read: time, example: '2026-07-14 06:00' },
  {
    name: 'devices',
    isText: true,
    read: devicesAt(devicePlaces),
    example: '490154203237518 air; 490154203237526 pallet 160012345000000015',
  },
  { name: 'lot', isText: true, read: code, example: 'L-118' },
  { name: 'note', read: words, example: 'Phytosanitary certificate to follow' },
]

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
const small = (name: string) => name.toLowerCase()
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

/** The leg of a row. */
const legOf = (values: Values) =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) =>
      isOfLeg(name) ? [[name, name.endsWith('Unchecked') ? value === 'yes' : value]] : [],
    ),
  )

const columnsOfFields: Record<string, string> = {
  ...{ originId: 'origin', destinationId: 'destination', partnerId: 'partner', grossWeightG: 'grossWeightKg' },
}

/** The column that a field of a shipment is read from. */
function columnOf(path: string): string | null {
  const [first = '', , field = ''] = path.split('.')
  const name = first === 'legs' ? field : (columnsOfFields[first] ?? first)
  return shipmentColumns.some((column) => column.name === name) ? name : null
}

const field = (name: string): Message => ({ key: `fields.rule.${name}`, values: {} })

/** One row is a shipment of one leg. */
export const rules: BulkRules<ShipmentAsk, BulkShipmentFacts, DraftedShipment> = {
  columns: shipmentColumns,
  ask: (lines) => ({
    origins: distinct(lines, ({ origin }) => [origin && small(origin)]),
    destinations: distinct(lines, ({ destination }) => [destination && small(destination)]),
    partners: distinct(lines, ({ partner }) => [partner && small(partner)]),
    ports: distinct(lines, ({ fromPort, toPort }) =>
      [fromPort, toPort].flatMap((code) => (code ? [code, locodeMeant(code)] : [])),
    ),
    imeis: distinct(lines, ({ devices = [] }) => devices.map(({ imei }) => imei)),
    references: distinct(lines, ({ reference }) => [reference && small(reference)]),
  }),
  check(facts) {
    const named = <T extends { named: string }>(all: readonly T[]) => new Map(all.map((one) => [one.named, one]))
    const [origins, destinations] = [named(facts.origins), named(facts.destinations)]
    const partners = Map.groupBy(
      facts.partners.flatMap((partner) =>
        [...new Set([small(partner.companyName), small(partner.email)])].map((name) => ({ name, partner })),
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
    return ([line]) => {
      const values = valuesOf(line)
      const faults: RowFault[] = []
      const find = <T>(column: string, name: string | undefined, lookUp: (name: string) => T | undefined) => {
        if (name === undefined) return undefined
        const one = lookUp(small(name))
        if (one === undefined) faults.push({ column, message: sheetRule('unknownName', { name: name.slice(0, 60) }) })
        return one
      }
      const origin = find('origin', values.origin, (name) => origins.get(name))
      const destination = find('destination', values.destination, (name) => destinations.get(name))
      const alike = find('partner', values.partner, (name) => partners.get(name))
      if (alike && alike.length > 1) faults.push({ column: 'partner', message: sheetRule('partnersAlike') })
      if (values.reference && taken.has(small(values.reference)))
        faults.push({ column: 'reference', message: field('referenceTaken') })
      const carried = values.devices?.map(({ imei, probe, place, sscc }) => {
        const there = (byImei.get(imei) ?? []).filter((device) => probe === null || device.probe === probe)
        if (there.length !== 1)
          faults.push({ column: 'devices', message: sheetRule(there[0] ? 'whichProbe' : 'unknownDevice', { imei }) })
        return { device: there[0], place, sscc }
      })
      const given = Object.fromEntries(Object.entries(values).filter(([name]) => !isOfLeg(name)))
      const {
        origin: _o,
        destination: _d,
        partner: _p,
        grossWeightKg,
        gtinUnchecked,
        devices: _v,
        ...goods
      } = given as Values
      const { data, error } = NewShipment.safeParse({
        ...goods,
        ...{ originId: origin?.id, destinationId: destination?.id },
        ...(alike && { partnerId: alike[0]?.partner.id }),
        ...(grossWeightKg !== undefined && { grossWeightG: Math.round(grossWeightKg * 1_000) }),
        ...(gtinUnchecked !== undefined && { gtinUnchecked: gtinUnchecked === 'yes' }),
        legs: [legOf(values)],
        ...(carried && {
          devices: carried.flatMap(({ device, place, sscc }) =>
            device ? [{ id: String(device.id), place, sscc }] : [],
          ),
        }),
      })
      if (error) {
        const ofFields = messagesOf(error).map(({ path, message }) => ({ column: columnOf(path), message }))
        return { faults: [...line.faults, ...faults, ...ofFields] }
      }
      const drafting = new Faults()
      const thing = draftShipment(known, data, drafting)
      faults.push(...drafting.all.map(({ path, message }) => ({ column: columnOf(path), message })))
      return line.faults.length + faults.length > 0 ? { faults: [...line.faults, ...faults] } : { thing }
    }
  },
}
