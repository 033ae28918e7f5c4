import type { FoundPlace, LatLon } from '@isotherm/contract/places.ts'
import { findCompany } from '../../core/company/company.ts'
import { distanceM } from '../../domain/sphere.ts'
import type { Context } from '../../platform/context.ts'
import { loadGazetteer } from '../../platform/gazetteer/gazetteer.ts'
import { searchGazetteer } from '../../platform/gazetteer/search-gazetteer.ts'
import { translate } from '../../platform/i18n/i18n.ts'
import { fleetPlaces } from './fleet-queries.ts'
import { askOnline } from './online-geocoder.ts'

const maxFound = 8
const nearM = 300_000

/** Places by name: our own towns first, those near the devices (where none has a position, those of the company's country) before others of that name, then what the configured geocoder adds; one that fails takes nothing away. */
export async function findPlaces(ctx: Context, text: string) {
  const here = coordinatesOf(text)
  if (here) return { places: [here], message: null }
  const { geocoderUrl } = ctx.services.config
  const fleet = await fleetPlaces(ctx)
  const { country: home } = fleet.length > 0 ? { country: null } : await findCompany(ctx.tx, ctx.companyId)
  const isNear = (place: LatLon, country: string) =>
    country === home || fleet.some((each) => distanceM(each, place) < nearM)
  const [own, online] = await Promise.all([
    loadGazetteer().then((gazetteer) => searchGazetteer(gazetteer, text, maxFound, { locale: ctx.locale, isNear })),
    geocoderUrl ? askOnline(geocoderUrl, text, ctx.locale, maxFound).catch((error) => failed(ctx, error)) : [],
  ])
  const places = [...own, ...online.filter((place) => !own.some((other) => isSame(place, other)))].slice(0, maxFound)
  return { places, message: places.length > 0 ? null : translate(ctx.locale, 'places:search.nothing') }
}

/** '6.5, 3.4' as the place it names: latitude and longitude in degrees. */
export function coordinatesOf(text: string): FoundPlace | null {
  const [, first, second] = /^\s*(-?\d{1,2}(?:\.\d+)?)\s*[,;\s]\s*(-?\d{1,3}(?:\.\d+)?)\s*$/.exec(text) ?? []
  const [lat, lon] = [Number(first), Number(second)]
  if (first === undefined || Math.abs(lat) > 90 || Math.abs(lon) > 180) return null
  return { name: `${lat}, ${lon}`, country: null, near: null, lat, lon, population: null }
}

function failed(ctx: Context, error: unknown): FoundPlace[] {
  ctx.services.log.warn({ err: error }, 'the geocoder cannot be asked')
  return []
}

/** The same town from both sources: within about 5 km, and under the same name. */
const isSame = (a: FoundPlace, b: FoundPlace): boolean =>
  Math.abs(a.lat - b.lat) < 0.05 && Math.abs(a.lon - b.lon) < 0.05 && a.name.startsWith(b.name)
