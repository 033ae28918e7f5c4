import type { Locale } from '@isotherm/contract/common.ts'
import { expectedArrival } from '@isotherm/contract/shipment-calls.ts'
import type { ShipmentDetails, ShipmentLeg } from '@isotherm/contract/shipments.ts'
import { writeTime } from '@isotherm/contract/times.ts'
import { translate } from '../../platform/i18n/i18n.ts'
import type { ShipmentContent } from './report-content.ts'

export type Say = (key: string, values?: Record<string, unknown>) => string

/** The texts of a report, below `shipments:`. */
export const sayIn =
  (locale: Locale): Say =>
  (key, values = {}) =>
    translate(locale, `shipments:${key}`, values)

export const titleOf = ({ locale, kind, shipment }: Pick<ShipmentContent, 'locale' | 'kind' | 'shipment'>): string =>
  sayIn(locale)(`report.title.${kind}`, { number: shipment.number })

/** An instant as clocks show it in a zone. */
export const localTime = (locale: Locale, zone: string, at: string): string => writeTime(locale, zone, new Date(at))

/** The vessel or flight of a leg, with its voyage: "MSC Orion 231N". */
export const carriageOf = (leg: ShipmentLeg): string =>
  [leg.vesselName ?? leg.flightNumber ?? leg.carrierName, leg.voyage].filter(Boolean).join(' ')

/** Where a leg begins or ends: "Cape Town (ZACPT)". */
export const placeOf = (name: string | null, port: string | null): string =>
  [name, port && `(${port})`].filter(Boolean).join(' ')

/** A container or waybill, with a mark where its check digit is wrong and somebody insisted. */
export function unitOf(leg: ShipmentLeg, say: Say): string {
  const unit = leg.containerNo ?? leg.awb
  if (unit === null) return ''
  const isUnchecked = leg.containerNo ? leg.containerUnchecked : leg.awbUnchecked
  return isUnchecked ? `${unit} (${say('report.unchecked')})` : unit
}

/** Planned, estimated and actual instants of an end of a leg, in the zone of the place. */
export function timesOf(
  leg: ShipmentLeg,
  end: 'departure' | 'arrival',
  { locale, now }: { locale: Locale; now: number },
) {
  const zone = end === 'departure' ? leg.fromZone : leg.toZone
  const at = (instant: string | number | null) => (instant === null ? null : writeTime(locale, zone, new Date(instant)))
  const expected = end === 'arrival' && leg.atd !== null ? expectedArrival(leg, now) : null
  return {
    planned: at(end === 'departure' ? leg.etd : leg.eta),
    estimated: at(expected),
    actual: at(end === 'departure' ? leg.atd : leg.ata),
  }
}

/** The leg that tells of the container: the first with one, else the first. */
export const mainLeg = ({ legs }: ShipmentDetails): ShipmentLeg | undefined =>
  legs.find(({ containerNo, rolledAt }) => containerNo !== null && rolledAt === null) ??
  legs.find(({ rolledAt }) => rolledAt === null)
