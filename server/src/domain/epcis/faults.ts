import type { EpcisFault } from '@isotherm/contract/epcis.ts'

type EpcisFaultKind = EpcisFault['fault']

/** How many faults are named; more of them help nobody. */
const maxFaults = 100

const steps = new Set([
  ...['accepting', 'arriving', 'assembling', 'collecting', 'commissioning', 'consigning', 'creating_class_instance'],
  ...['cycle_counting', 'decommissioning', 'departing', 'destroying', 'disassembling', 'dispensing', 'encoding'],
  ...['entering_exiting', 'holding', 'inspecting', 'installing', 'killing', 'loading', 'other', 'packing', 'picking'],
  ...['receiving', 'removing', 'repackaging', 'repairing', 'replacing', 'reserving', 'retail_selling', 'sampling'],
  ...['sensor_reporting', 'shipping', 'staging_outbound', 'stock_taking', 'stocking', 'storing', 'transporting'],
  ...['unloading', 'unpacking', 'void_shipping'],
])

/** Units of UN/CEFACT by which a kind of measurement is told. */
const units: Record<string, readonly string[]> = {
  Temperature: ['CEL', 'FAH', 'KEL'],
  RelativeHumidity: ['P1'],
  AbsoluteHumidity: ['A93'],
  Illuminance: ['LUX'],
}

type Json = Record<string, unknown>
export const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isUri = (value: unknown): boolean => typeof value === 'string' && /^[A-Za-z][A-Za-z0-9+.-]*:\S+$/.test(value)
const isInstant = (value: unknown): boolean =>
  typeof value === 'string' &&
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(value) &&
  !Number.isNaN(Date.parse(value))
const isOffset = (value: unknown): boolean =>
  typeof value === 'string' && /^[+-](0\d|1[0-3]):[0-5]\d$|^[+-]14:00$/.test(value)

/** The events of a document; empty where it has none. */
export function eventsIn(document: unknown): unknown[] {
  const body = isJson(document) ? document.epcisBody : null
  return isJson(body) && Array.isArray(body.eventList) ? body.eventList : []
}

/**
 * The faults of a document of EPCIS 2.0 that we would refuse to send, or to read: what its schema refuses of what we use of it, and what
 * the schema takes although it is wrong. Extensions and vocabularies of others are left alone.
 */
export function faultsOf(document: unknown): EpcisFault[] {
  const faults: EpcisFault[] = []
  const add = (path: string, fault: EpcisFaultKind): undefined => {
    if (faults.length < maxFaults) faults.push({ path, fault })
  }
  if (!isJson(document) || document.type !== 'EPCISDocument') return [{ path: '', fault: 'document' }]
  if (document.schemaVersion !== '2.0') add('schemaVersion', 'version')
  if (document['@context'] === undefined) add('@context', 'context')
  if (!isInstant(document.creationDate)) add('creationDate', 'time')
  const list = eventsIn(document)
  if (list.length === 0) add('epcisBody.eventList', 'events')
  const seen = new Map<string, boolean>()
  for (const [index, event] of list.entries()) {
    if (faults.length >= maxFaults) break
    const at = `epcisBody.eventList[${index}]`
    if (!isJson(event)) {
      add(at, 'event')
      continue
    }
    eventFaults(event, (name, fault) => add(`${at}.${name}`, fault))
    const { eventID, errorDeclaration } = event
    if (typeof eventID !== 'string') continue
    // The same id again is right only where one of the two withdraws the other.
    const isDeclaration = errorDeclaration !== undefined
    if (seen.has(eventID) && seen.get(eventID) === isDeclaration) add(`${at}.eventID`, 'doubled')
    seen.set(eventID, isDeclaration)
  }
  return faults
}

/** Adds a fault; there is nothing to return. */
type Add = (name: string, fault: EpcisFaultKind) => undefined

const types = ['ObjectEvent', 'AggregationEvent', 'TransactionEvent', 'TransformationEvent', 'AssociationEvent']
const isList = (value: unknown): value is unknown[] => Array.isArray(value) && value.length > 0

function eventFaults(event: Json, add: Add): undefined {
  const { type, action, bizStep, disposition, eventID, eventTime, eventTimeZoneOffset } = event
  if (typeof type !== 'string' || !types.includes(type)) return add('type', 'eventType')
  if (!isInstant(eventTime)) add('eventTime', 'time')
  if (!isOffset(eventTimeZoneOffset)) add('eventTimeZoneOffset', 'offset')
  if (eventID !== undefined && !isUri(eventID)) add('eventID', 'uri')
  if (type !== 'TransformationEvent' && !['ADD', 'OBSERVE', 'DELETE'].includes(String(action))) add('action', 'action')
  if (bizStep !== undefined && !isWord(bizStep, steps)) add('bizStep', 'bizStep')
  if (disposition !== undefined && !isWord(disposition)) add('disposition', 'disposition')
  // A verdict is what an inspection ends with, and nothing else.
  if (['conformant', 'non_conformant'].includes(String(disposition)) && bizStep !== 'inspecting')
    add('disposition', 'disposition')
  whatFaults(event, add)
  if (event.errorDeclaration !== undefined) correctionFaults(event.errorDeclaration, add)
  const sensors = event.sensorElementList
  if (sensors === undefined) return
  if (!isList(sensors)) return add('sensorElementList', 'sensor')
  for (const [index, element] of sensors.entries())
    sensorFaults(element, (name, fault) => add(`sensorElementList[${index}]${name}`, fault))
}

/** A word of the vocabulary, or the address of somebody's own; never the older form of the words. */
const isWord = (value: unknown, words?: ReadonlySet<string>): boolean =>
  typeof value === 'string' &&
  !value.startsWith('urn:epcglobal:cbv:') &&
  (isUri(value) || (words ? words.has(value) : /^[a-z]+(_[a-z]+)*$/.test(value)))

function whatFaults({ type, action, ...event }: Json, add: Add): undefined {
  if (type === 'ObjectEvent') {
    if (!isList(event.epcList) && !isList(event.quantityList) && event.sensorElementList === undefined)
      add('epcList', 'what')
    urisIn('epcList', event.epcList, add)
  }
  if (type === 'AggregationEvent' || type === 'AssociationEvent') {
    if (!isUri(event.parentID) && (action !== 'OBSERVE' || event.parentID !== undefined)) add('parentID', 'parent')
    if (action !== 'DELETE' && !isList(event.childEPCs) && !isList(event.childQuantityList)) add('childEPCs', 'what')
    urisIn('childEPCs', event.childEPCs, add)
  }
}

function urisIn(name: string, list: unknown, add: Add): undefined {
  if (list === undefined) return
  if (!Array.isArray(list)) return add(name, 'what')
  const wrong = list.findIndex((one) => !isUri(one))
  if (wrong >= 0) add(`${name}[${wrong}]`, 'uri')
}

function correctionFaults(declared: unknown, add: Add): undefined {
  if (!isJson(declared)) return add('errorDeclaration', 'correction')
  if (!isInstant(declared.declarationTime)) add('errorDeclaration.declarationTime', 'time')
  const ids = declared.correctiveEventIDs
  if (ids !== undefined) urisIn('errorDeclaration.correctiveEventIDs', ids, add)
}

const numbers = ['value', 'minValue', 'maxValue', 'meanValue', 'sDev']

const exceptions: readonly unknown[] = ['ALARM_CONDITION', 'ERROR_CONDITION']
/** Words of the vocabulary for parts of a position; any other component has a prefix. */
const components: readonly unknown[] = [
  ...['x', 'y', 'z', 'axial_distance', 'azimuth', 'height', 'spherical_radius', 'polar_angle', 'elevation_angle'],
  ...['easting', 'northing', 'latitude', 'longitude', 'altitude'],
]

function sensorFaults(element: unknown, add: Add): undefined {
  if (!isJson(element) || !isList(element.sensorReport)) return add('.sensorReport', 'sensor')
  for (const [index, report] of element.sensorReport.entries()) {
    const at = `.sensorReport[${index}]`
    if (!isJson(report)) {
      add(at, 'sensor')
      continue
    }
    const { type, uom, component, exception } = report
    // The schema takes gs1:Temperature, which no receiver knows.
    if (type !== undefined && (typeof type !== 'string' || /^gs1:/.test(type) || /^[a-z]+$/.test(type)))
      add(`${at}.type`, 'sensor')
    if (component !== undefined && !components.includes(component) && !isUri(component))
      add(`${at}.component`, 'sensor')
    if (exception !== undefined && !exceptions.includes(exception) && !isUri(exception))
      add(`${at}.exception`, 'sensor')
    const known = typeof type === 'string' ? units[type] : undefined
    if (known && !known.includes(String(uom))) add(`${at}.uom`, 'unit')
    for (const name of numbers)
      if (report[name] !== undefined && !Number.isFinite(report[name])) add(`${at}.${name}`, 'number')
  }
}
