import type { Locale } from '@isotherm/contract/common.ts'
import { estimatesOf } from '@isotherm/contract/expected-arrival.ts'
import { legModes, type ShipmentDetails, type ShipmentLeg } from '@isotherm/contract/shipments.ts'
import { writeTime } from '@isotherm/contract/times.ts'
import { showAwb } from '@isotherm/contract/unit-numbers.ts'
import { translate } from '../../platform/i18n/i18n.ts'
import { printed, type Words } from '../../reporting/words.ts'
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
export const localTime = (locale: Locale, zone: string, at: string | number): string =>
  printed(writeTime(locale, zone, new Date(at)))

/** The vessel or flight of a leg, with its voyage: "MSC Orion 231N". */
export const carriageOf = (leg: ShipmentLeg): string =>
  [leg.vesselName ?? leg.flightNumber ?? leg.carrierName, leg.voyage].filter(Boolean).join(' ')

/** The carrier of a leg, where that is not all that is known of its carriage. */
export const carrierOf = (leg: ShipmentLeg): string | null =>
  (leg.vesselName ?? leg.flightNumber) === null ? null : leg.carrierName

/** "14.5 kg": to the gram, where grams are known. */
export const weightText = ({ short }: Words, kg: number): string => `${short(kg, 3)} kg`

/** Where a leg begins or ends: "Cape Town (ZACPT)". */
export const placeOf = (name: string | null, port: string | null): string =>
  [name, port && `(${port})`].filter(Boolean).join(' ')

/** A number, with a mark where its check digit is wrong and somebody insisted. */
export const markedAs = (number: string, isUnchecked: boolean, say: Say): string =>
  isUnchecked ? `${number} (${say('report.unchecked')})` : number

/** The number of the vessel of a leg: names of vessels change. */
export const vesselNumberOf = ({ imo, imoUnchecked }: ShipmentLeg, say: Say): string | null =>
  imo && markedAs(`IMO ${imo}`, imoUnchecked, say)

/** A container or waybill. */
export function unitOf(leg: ShipmentLeg, say: Say): string {
  const unit = leg.containerNo ?? showAwb(leg.awb)
  if (unit === null) return ''
  return markedAs(unit, leg.containerNo ? leg.containerUnchecked : leg.awbUnchecked, say)
}

/** Planned, estimated and actual instants of an end of a leg, in the zone of the place. */
export function timesOf(
  leg: ShipmentLeg,
  end: 'departure' | 'arrival',
  { locale, now }: { locale: Locale; now: number },
) {
  const zone = end === 'departure' ? leg.fromZone : leg.toZone
  const at = (instant: string | number | null) => (instant === null ? null : localTime(locale, zone, instant))
  return {
    planned: at(end === 'departure' ? leg.plannedEtd : leg.plannedEta),
    estimated: at(estimatesOf(leg, now)[end]),
    actual: at(end === 'departure' ? leg.atd : leg.ata),
  }
}

/** The leg whose law a claim follows, and that the loading data tell of: the first of the mode that comes first in `legModes`. */
export function mainLeg({ legs }: ShipmentDetails): ShipmentLeg | undefined {
  const standing = legs.filter(({ rolledAt }) => rolledAt === null)
  return standing.toSorted((a, b) => legModes.indexOf(a.mode) - legModes.indexOf(b.mode) || a.sequence - b.sequence)[0]
}
