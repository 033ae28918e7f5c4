import type { GivenLeg } from '@isotherm/contract/shipment-calls.ts'
import { type ShipmentEnd, shipmentLimits } from '@isotherm/contract/shipments.ts'
import { type FindPort, zoneOf } from '../../core/ports/ports.ts'
import { draftNumber } from '../../core/shipments/draft-number.ts'
import type { LegDraft } from '../../core/shipments/insert-queries.ts'
import {
  airWaybill,
  containerNumber,
  flightNumber,
  type Identified,
  imoNumber,
  locode,
  partsOfFlight,
} from '../../domain/identifiers.ts'
import { timeAtPlace } from '../../domain/place-time.ts'
import type { Faults } from '../../platform/errors/faults.ts'

const dayMs = 86_400_000
/** A departure may be planned so long before the loading date: papers are late. */
const loadingDays = 365

/** The beginning of a day that may be left out. */
export const dayOf = (day: string | null | undefined): Date | null => (day ? new Date(day) : null)

/** Whether a planned departure is so long before the loading date that one of them is wrong. */
export const leavesLongBefore = (etd: Date | null, loadingOn: Date | null): boolean =>
  etd !== null && loadingOn !== null && loadingOn.getTime() - etd.getTime() > loadingDays * dayMs

/** The facts that legs are judged by. */
export interface LegFacts {
  now: Date
  port: FindPort
}

/** The code of a port that was probably meant: a UN/LOCODE has neither 0 nor 1. */
export function locodeMeant(code: string): string | undefined {
  const read = locode(code)
  return 'value' in read ? undefined : read.didYouMean
}

/** A leg as it is to be stored, with the times that somebody said of it. */
export type DraftedLeg = LegDraft & { etd: Date | null; eta: Date | null }

/** Where a shipment comes from and goes to, and when it is loaded. */
export interface Journey {
  origin: ShipmentEnd | null
  destination: ShipmentEnd | null
  loadingOn: Date | null
  companyZone: string
}

interface Place {
  port: string | null
  name: string | null
  zone: string | null
}

/** The legs as they are to be stored, with the zones and names of their places. Faults are those of the fields `legs.0.awb`, or as `pathOf` says. */
export function draftLegs(
  facts: LegFacts,
  legs: readonly GivenLeg[],
  journey: Journey,
  faults: Faults,
  pathOf = (index: number) => `legs.${index}`,
): DraftedLeg[] {
  const ends = legs.map((leg, index) => ({
    from: placeOf(facts, leg, 'from', pathOf(index), faults),
    to: placeOf(facts, leg, 'to', pathOf(index), faults),
  }))
  return legs.map((leg, index) => {
    const path = pathOf(index)
    const own = ends[index] ?? { from: nowhere, to: nowhere }
    const before = index === 0 ? endPlace(journey.origin) : (ends[index - 1]?.to ?? nowhere)
    const after = index === legs.length - 1 ? endPlace(journey.destination) : (ends[index + 1]?.from ?? nowhere)
    const zones = {
      from_zone: own.from.zone ?? before.zone ?? journey.companyZone,
      to_zone: own.to.zone ?? after.zone ?? journey.companyZone,
    }
    refuseMisplaced(leg, path, faults)
    return {
      ...{ mode: leg.mode, from_port: own.from.port, to_port: own.to.port },
      ...{ from_name: own.from.name ?? before.name, to_name: own.to.name ?? after.name },
      ...zones,
      ...numbersOf(leg, path, faults),
      ...timesOf(facts, leg, { path, ...zones }, journey, faults),
      ...{ vessel_name: leg.vesselName ?? null, voyage: leg.voyage ?? null, carrier_name: leg.carrierName ?? null },
      ...{ house_awb: leg.houseAwb ?? null, booking_number: leg.bookingNumber ?? null, seal_no: leg.sealNo ?? null },
    }
  })
}

const nowhere: Place = { port: null, name: null, zone: null }
const endPlace = (end: ShipmentEnd | null): Place =>
  end ? { port: null, name: end.name, zone: end.timezone } : nowhere

/** A place of a leg: a port by its code, with its name and zone unless others were given. By lorry and by train it begins and ends at ports, too. */
function placeOf({ port: findPort }: LegFacts, leg: GivenLeg, end: 'from' | 'to', path: string, faults: Faults): Place {
  const [code, name, zone] =
    end === 'from' ? [leg.fromPort, leg.fromName, leg.fromZone] : [leg.toPort, leg.toName, leg.toZone]
  if (!code) return { port: null, name: name ?? null, zone: zone ?? null }
  const kinds =
    leg.mode === 'sea' ? ['sea' as const] : leg.mode === 'air' ? ['air' as const] : (['sea', 'air'] as const)
  for (const kind of kinds) {
    const port = findPort(kind, code)
    if (port) return { port: port.code, name: name ?? port.name, zone: zone ?? zoneOf(port) }
  }
  const meant = leg.mode === 'air' ? undefined : locodeMeant(code)
  if (meant && findPort('sea', meant)) faults.add(`${path}.${end}Port`, 'rule.identifier.portMeant', { meant })
  else faults.add(`${path}.${end}Port`, leg.mode === 'air' ? 'rule.unknownAirport' : 'rule.unknownPort')
  return nowhere
}

function refuseMisplaced(leg: GivenLeg, path: string, faults: Faults): void {
  const refuse = (names: readonly (keyof GivenLeg)[], rule: string) => {
    for (const name of names) if (leg[name]) faults.add(`${path}.${name}`, rule)
  }
  if (leg.mode !== 'sea') refuse(['vesselName', 'imo', 'voyage'], 'rule.ofSeaLeg')
  if (leg.mode !== 'air') refuse(['flightNumber', 'awb', 'houseAwb'], 'rule.ofAirLeg')
  if (leg.mode === 'air') refuse(['containerNo'], 'rule.notOfAirLeg')
}

function numbersOf(leg: GivenLeg, path: string, faults: Faults) {
  const { containerUnchecked, awbUnchecked, imoUnchecked } = leg
  const of = (
    name: 'containerNo' | 'awb' | 'imo',
    read: (text: string) => Identified,
    isUnchecked: boolean | undefined,
  ) => draftNumber(leg[name], { path: `${path}.${name}`, name, read, isUnchecked }, faults)
  const container = of('containerNo', containerNumber, containerUnchecked)
  const awb = of('awb', airWaybill, awbUnchecked)
  const imo = of('imo', imoNumber, imoUnchecked)
  const flight = leg.flightNumber ? flightNumber(leg.flightNumber) : { value: null }
  if ('fault' in flight) faults.add(`${path}.flightNumber`, 'rule.identifier.flightNumber')
  const flight_number = 'value' in flight ? flight.value : null
  const ofFlight = flight_number === null ? null : partsOfFlight(flight_number)
  return {
    ...{ flight_number, carrier_code: leg.carrierCode?.toUpperCase() ?? ofFlight?.carrier ?? null },
    ...{ container_no: container.value, container_unchecked: container.isUnchecked },
    ...{ awb: awb.value, awb_unchecked: awb.isUnchecked, imo: imo.value, imo_unchecked: imo.isUnchecked },
  }
}

function timesOf(
  facts: LegFacts,
  leg: GivenLeg,
  { path, from_zone, to_zone }: { path: string; from_zone: string; to_zone: string },
  { loadingOn }: Journey,
  faults: Faults,
) {
  const now = facts.now.getTime()
  const at = (name: 'etd' | 'eta', zone: string): Date | null => {
    const given = leg[name]
    if (!given) return null
    const time = timeAtPlace(given, zone)
    if (time === null) faults.add(`${path}.${name}`, 'rule.localTimeGap', { zone })
    else if (Math.abs(time.getTime() - now) > shipmentLimits.plannedWithinDays * dayMs)
      faults.add(`${path}.${name}`, 'rule.plannedTooFar', { days: shipmentLimits.plannedWithinDays })
    return time
  }
  const [etd, eta] = [at('etd', from_zone), at('eta', to_zone)]
  // By instants: a voyage over the date line may arrive on an earlier day.
  if (etd && eta && eta <= etd) faults.add(`${path}.eta`, 'rule.arrivalBeforeDeparture')
  if (leavesLongBefore(etd, loadingOn)) faults.add(`${path}.etd`, 'rule.departureBeforeLoading')
  return { etd, eta }
}
