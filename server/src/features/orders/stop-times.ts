import type { GivenStop } from '@isotherm/contract/new-order.ts'
import { zonesOfCountry } from '../../platform/gazetteer/country-zones.ts'

/** A stop with its country, as far as it is known, and its zone; `isAssumed`: nothing says the zone, so it is the company's. */
export interface PlacedStop extends GivenStop {
  timezone: string
  country: string | undefined
  isAssumed: boolean
}

/** A stop with the country of its position and the zone of a country that has one only, where neither was given; else the company's zone. */
export function placedStop(
  stop: GivenStop,
  companyZone: string,
  countryAt: (lat: number, lon: number) => string | null,
): PlacedStop {
  const country = stop.country ?? countryAt(stop.lat, stop.lon) ?? undefined
  if (stop.timezone) return { ...stop, country, timezone: stop.timezone, isAssumed: false }
  const zones = country ? zonesOfCountry(country) : []
  const [only] = zones
  if (zones.length === 1 && only) return { ...stop, country, timezone: only, isAssumed: false }
  return { ...stop, country, timezone: companyZone, isAssumed: true }
}
