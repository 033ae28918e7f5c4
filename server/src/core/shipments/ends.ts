import { ShipmentEnd, ShipmentPartner } from '@isotherm/contract/shipments.ts'
import { localDayOf } from '@isotherm/contract/zone-times.ts'

/** The copy of an origin or a destination that a shipment keeps. */
export const endOf = (column: unknown): ShipmentEnd => ShipmentEnd.parse(column)

/** The day of an instant at the origin or the destination, YYYY-MM-DD: certificates name days, which are those of a place. */
export const dayAt = ({ timezone }: Pick<ShipmentEnd, 'timezone'>, at: Date | number): string =>
  localDayOf(Number(at), timezone)

export const partnerOf = (column: unknown): ShipmentPartner | null => ShipmentPartner.nullable().parse(column)
