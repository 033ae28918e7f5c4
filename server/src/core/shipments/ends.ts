import { ShipmentEnd, ShipmentPartner } from '@isotherm/contract/shipments.ts'

/** The copy of an origin or a destination that a shipment keeps. */
export const endOf = (column: unknown): ShipmentEnd => ShipmentEnd.parse(column)

export const partnerOf = (column: unknown): ShipmentPartner | null => ShipmentPartner.nullable().parse(column)
