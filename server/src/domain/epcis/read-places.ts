import type { PlaceByGln } from '@isotherm/contract/epcis.ts'
import { gs1Digit } from '../check-digits.ts'
import { gln } from '../identifiers.ts'
import { type Json, jsonIn, listIn, textIn, thing } from './read-parts.ts'

/** Places of the reader's company by their numbers. */
export interface KnownPlaces {
  origins: ReadonlyMap<string, PlaceByGln>
  destinations: ReadonlyMap<string, PlaceByGln>
  /** Codes of ports. */
  ports: ReadonlyMap<string, string>
}
export const noPlaces: KnownPlaces = { origins: new Map(), destinations: new Map(), ports: new Map() }

/** The number of a place: of a Digital Link, or of a URN, which leaves the check digit out. One that does not hold is none. */
export function glnOf(uri: string): string | null {
  const [, prefix = '', place = ''] = /^urn:epc:id:sgln:(\d{6,12})\.(\d{0,6})(?:\.|$)/.exec(uri) ?? []
  const digits = `${prefix}${place}`
  const number =
    thing(uri, /\/414\/(\d{13})(?:[/?#]|$)/) ?? (digits.length === 12 ? `${digits}${gs1Digit(digits)}` : null)
  return number && 'value' in gln(number) ? number : null
}

/** Where an event was, and where it leads. */
export const readPointOf = (event: Json) => textIn(jsonIn(event.readPoint).id) ?? ''
const locationsIn = (event: Json, list: 'source' | 'destination') =>
  listIn(event[`${list}List`])
    .map(jsonIn)
    .flatMap((one) => (one.type === 'location' ? (textIn(one[list]) ?? []) : []))
export const destinationOf = (event: Json) => locationsIn(event, 'destination')[0] ?? ''

const placesOf = (event: Json) => [readPointOf(event), textIn(jsonIn(event.bizLocation).id) ?? '']

/** The numbers of all places that events tell of. */
export const glnsIn = (events: readonly Json[]): string[] => [
  ...new Set(
    events
      .flatMap((event) => [...placesOf(event), ...locationsIn(event, 'source'), ...locationsIn(event, 'destination')])
      .flatMap((uri) => glnOf(uri) ?? []),
  ),
]

/** The code of a port: in its name, else by its number. */
export const portOf = (uri: string, { ports }: KnownPlaces): string | null =>
  thing(uri, /\/unlocode\/([A-Z]{2}[A-Z2-9]{3})$/i, /\/iata\/([A-Z]{3})$/i)?.toUpperCase() ??
  ports.get(glnOf(uri) ?? '') ??
  null

const firstOf = (uris: readonly string[], places: ReadonlyMap<string, PlaceByGln>): PlaceByGln | null =>
  uris.map((uri) => places.get(glnOf(uri) ?? '')).find(Boolean) ?? null

/** The ends of the way: the first place that is an origin, and the last one that is a destination. */
export const endsIn = (events: readonly Json[], { origins, destinations }: KnownPlaces) => ({
  origin: firstOf(
    events.flatMap((event) => [...locationsIn(event, 'source'), ...placesOf(event)]),
    origins,
  ),
  destination: firstOf(
    events.toReversed().flatMap((event) => [...locationsIn(event, 'destination'), ...placesOf(event)]),
    destinations,
  ),
})
