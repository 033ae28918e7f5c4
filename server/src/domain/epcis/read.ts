import type { EpcisLeg, EpcisRead } from '@isotherm/contract/epcis.ts'
import { gs1Digit } from '../check-digits.ts'
import { eventsIn } from './faults.ts'
import { cut, extensionOf, gtinOf, type Json, jsonIn, listIn, textIn, thing } from './read-parts.ts'
import { destinationOf, endsIn, type KnownPlaces, noPlaces, portOf, readPointOf } from './read-places.ts'
import { productsIn } from './read-products.ts'

/** More names than these help nobody. */
const maxNames = 200
/** More vessels than these are a fleet. */
const maxLegs = 10

const textsIn = (value: unknown): string[] => listIn(value).flatMap((one) => textIn(one) ?? [])

const containerOf = (uri: string) => thing(uri, /^urn:epc:id:bic:([A-Z]{4}\d{7})$/, /\/id\/container\/([A-Z]{4}\d{7})$/)
const imoOf = (uri: string) => thing(uri, /^urn:epc:id:imovn:(\d{7})$/)
const ssccOf = (uri: string) => thing(uri, /\/00\/(\d{18})$/, /\/id\/pallet\/(\d{18})$/) ?? ssccOfUrn(uri)
/** urn:epc:id:sscc:prefix.serial: the extension digit leads the serial, and the check digit is worked out. */
function ssccOfUrn(uri: string): string | null {
  const [, prefix = '', serial = ''] = /^urn:epc:id:sscc:(\d{6,12})\.(\d{5,11})$/.exec(uri) ?? []
  if (prefix.length + serial.length !== 17) return null
  const digits = `${serial[0]}${prefix}${serial.slice(1)}`
  return `${digits}${gs1Digit(digits)}`
}
const lotOf = (uri: string) =>
  unescaped(thing(uri, /\/10\/([^/?#]{1,180})$/, /^urn:epc:class:lgtin:\d+\.\d+\.(.{1,60})$/))
/** The text behind its percent signs; one that is none stays as it is written. */
function unescaped(text: string | null): string | null {
  if (text === null || !/^(?:[^%]|%[0-7][0-9A-F])*$/i.test(text)) return text
  return textIn(decodeURIComponent(text))
}
const awbOf = (uri: string) => thing(uri, /(?:^|[/:])(\d{3}-?\d{8})$/)?.replace('-', '') ?? null
const toCelsius: Record<string, (value: number) => number> = {
  CEL: (value) => value,
  FAH: (value) => ((value - 32) * 5) / 9,
  KEL: (value) => value - 273.15,
}

function temperaturesIn(event: Json): number[] {
  return listIn(event.sensorElementList).flatMap((element) =>
    listIn(jsonIn(element).sensorReport)
      .map(jsonIn)
      .flatMap((report) => {
        const convert = toCelsius[String(report.uom)]
        if (report.type !== 'Temperature' || !convert) return []
        const values = [report.value, report.minValue, report.maxValue].filter((one) => typeof one === 'number')
        return values.map((value) => Math.round(convert(value) * 100) / 100)
      }),
  )
}

/** Fields of an event that we know, though we may have no use for them. */
const known = new Set([
  ...['type', 'eventID', 'eventTime', 'eventTimeZoneOffset', 'recordTime', 'certificationInfo', 'errorDeclaration'],
  ...['action', 'bizStep', 'disposition', 'persistentDisposition', 'readPoint', 'bizLocation', 'bizTransactionList'],
  ...['sourceList', 'destinationList', 'sensorElementList', 'epcList', 'quantityList', 'parentID', 'childEPCs'],
  ...['childQuantityList', 'ilmd', 'inputEPCList', 'inputQuantityList', 'outputEPCList', 'outputQuantityList'],
  ...['transformationID', '@context'],
])
/** Extensions of ours, and of others who use the same words, by the name behind their prefix. */
const extensions = ['vessel', 'imo', 'voyage', 'flight', 'seal', 'product', 'lot', 'recordedAt', 'place']
const instantOf = (event: Json): string => new Date(String(event.eventTime)).toISOString()

/** The events that stand, in their order: those that another one withdraws, or that withdraw themselves, are left out. */
function standing(document: unknown): { events: Json[]; withdrawn: number } {
  const all = eventsIn(document).map(jsonIn)
  const gone = new Set(all.flatMap((one) => (one.errorDeclaration === undefined ? [] : [one.eventID])))
  const events = all.filter((one) => one.errorDeclaration === undefined && !(one.eventID && gone.has(one.eventID)))
  const sorted = events.sort((a, b) => Date.parse(String(a.eventTime)) - Date.parse(String(b.eventTime)))
  return { events: sorted, withdrawn: all.length - events.length }
}

const unique = (list: readonly (string | null)[]): string[] =>
  [...new Set(list.flatMap((one) => one ?? []))].slice(0, maxNames)

/** The content of a document without faults, and the beginning of a shipment, with the places that are known by their numbers. */
export function readEpcis(document: unknown, places: KnownPlaces = noPlaces): Omit<EpcisRead, 'faults'> {
  const { events, withdrawn } = standing(document)
  const uris = events.flatMap((event) => [
    ...textsIn(event.epcList),
    ...textsIn(event.childEPCs),
    ...(textIn(event.parentID) ? [textIn(event.parentID) ?? ''] : []),
  ])
  const classes = events.flatMap((event) =>
    [...listIn(event.quantityList), ...listIn(event.childQuantityList)].flatMap(
      (one) => textIn(jsonIn(one).epcClass) ?? [],
    ),
  )
  const pallets = unique(uris.map(ssccOf))
  const gtins = unique([...uris, ...classes].map(gtinOf))
  const named = events.map((event) => extensionOf(event, 'lot'))
  const lots = unique([...[...uris, ...classes].map(lotOf), ...named])
  const temperatures = events.flatMap(temperaturesIn)
  const papers = events.flatMap((event) =>
    listIn(event.bizTransactionList)
      .map(jsonIn)
      .flatMap(({ type, bizTransaction }) => ({ type, name: textIn(bizTransaction) ?? '' })),
  )
  const order = papers.find(({ type }) => type === 'po' || type === 'desadv')
  const [first, last] = [events[0], events.at(-1)]
  const stuffed = events.find(({ bizStep }) => bizStep === 'loading' || bizStep === 'packing')
  const [departure] = departuresIn(events)
  const [product, ...furtherProducts] = productsIn(events, gtins)
  return {
    ...{ events: events.length, withdrawn },
    ...{ from: first ? instantOf(first) : null, to: last ? instantOf(last) : null },
    ...{ pallets, gtins, lots },
    lowestC: temperatures.reduce<number | null>((a, b) => (a === null ? b : Math.min(a, b)), null),
    highestC: temperatures.reduce<number | null>((a, b) => (a === null ? b : Math.max(a, b)), null),
    unknown: unknownIn(events),
    draft: {
      reference: order ? cut(order.name.split(/[/:]/).at(-1) ?? '', 80) : null,
      product: product?.product ?? events.map((event) => extensionOf(event, 'product')).find(Boolean) ?? null,
      ...{ gtin: product?.gtin ?? null, quantity: product?.quantity ?? null },
      ...{ quantityUnit: product?.quantityUnit ?? null, furtherProducts },
      lot: lots.length === 1 ? cut(lots[0] ?? '', 60) : null,
      pallets: pallets.length > 0 ? pallets.length : null,
      loadingOn: stuffed ? dayThere(stuffed) : null,
      departureOn: departure ? dayThere(departure) : null,
      ...endsIn(events, places),
      legs: legsOf(events, uris, papers, places),
    },
  }
}

const nameOfCarriage = (event: Json): string | null =>
  ['imo', 'vessel', 'flight'].map((name) => extensionOf(event, name)).find((one) => one !== null) ?? null

/** The departures of vessels and flights, each once; where none is named, the first departure. A lorry may have left before. */
function departuresIn(events: readonly Json[]): Json[] {
  const all = events.filter(({ bizStep }) => bizStep === 'departing' || bizStep === 'shipping')
  const named = all.filter((one, index) => {
    const before = all[index - 1]
    return nameOfCarriage(one) !== null && !(before && nameOfCarriage(before) === nameOfCarriage(one))
  })
  return named.length > 0 ? named.slice(0, maxLegs) : all.slice(0, 1)
}

/** The day of an event by the clocks of its place. */
function dayThere(event: Json): string {
  const [, sign, hours, minutes] = /^([+-])(\d\d):(\d\d)$/.exec(String(event.eventTimeZoneOffset)) ?? []
  const offsetMs = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60_000 * (sign === '-' ? -1 : 1)
  return new Date(Date.parse(String(event.eventTime)) + offsetMs).toISOString().slice(0, 10)
}

/** A leg for each departure, which lasts until the next one. */
function legsOf(
  events: readonly Json[],
  uris: readonly string[],
  papers: readonly { type: unknown; name: string }[],
  places: KnownPlaces,
): EpcisLeg[] {
  const [container] = unique(uris.map(containerOf))
  const [awb] = unique(papers.filter(({ type }) => type === 'bol').map(({ name }) => awbOf(name)))
  const imos = unique(uris.map(imoOf))
  const departures = departuresIn(events)
  const isOne = departures.length < 2
  return (isOne ? [departures[0]] : departures).map((departure, index) => {
    const next = departures[index + 1]
    const own = isOne ? events : events.slice(events.indexOf(departure as Json), next && events.indexOf(next))
    const of = (name: string) => own.map((event) => extensionOf(event, name)).find((one) => one !== null) ?? null
    const arrival = own.findLast(({ bizStep }) => bizStep === 'arriving' || bizStep === 'receiving')
    const vessel = of('vessel')
    const [, numbered] = /^IMO ?(\d{7})$/i.exec(vessel ?? '') ?? []
    const imo = of('imo') ?? numbered ?? (isOne ? (imos[0] ?? null) : null)
    const flightNumber = of('flight')
    const isAir = flightNumber !== null || (awb !== undefined && imo === null && vessel === null)
    return {
      mode: isAir ? 'air' : 'sea',
      fromPort: departure ? portOf(readPointOf(departure), places) : null,
      toPort:
        (departure && portOf(destinationOf(departure), places)) ??
        (arrival ? portOf(readPointOf(arrival), places) : null),
      ...{ vesselName: numbered ? null : vessel, imo, voyage: of('voyage'), flightNumber, sealNo: of('seal') },
      ...{ containerNo: container ?? null, awb: isAir ? (awb ?? null) : null },
      etd: departure ? instantOf(departure) : null,
      eta: arrival ? instantOf(arrival) : null,
    }
  })
}

function unknownIn(events: readonly Json[]): string[] {
  const names = new Set<string>()
  for (const event of events)
    for (const key of Object.keys(event)) {
      const [prefix, name] = key.split(':')
      const isKnown = known.has(key) || (prefix !== undefined && name !== undefined && extensions.includes(name))
      if (!isKnown && names.size < 50) names.add(textIn(key) ?? '')
    }
  return [...names].filter((name) => name !== '').sort()
}
