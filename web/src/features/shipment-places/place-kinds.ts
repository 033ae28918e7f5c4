import { destinations, origins } from '@isotherm/contract/shipment-places.ts'

/** The calls of origins and of destinations, which are alike. */
export const placeCalls = { origin: origins, destination: destinations }
export type PlaceKind = keyof typeof placeCalls
