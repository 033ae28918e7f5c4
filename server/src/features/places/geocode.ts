import type { FoundPlace } from '@isotherm/contract/places.ts'
import type { Context } from '../../platform/http/context.ts'
import { translate } from '../../platform/i18n/i18n.ts'
import { loadGazetteer, searchGazetteer } from './gazetteer.ts'
import { askOnline } from './online-geocoder.ts'

const most = 8

/** Places by name: our own towns first, then what the configured geocoder adds; one that fails takes nothing away. */
export async function findPlaces(ctx: Context, text: string) {
  const { geocoderUrl } = ctx.services.config
  const [own, online] = await Promise.all([
    loadGazetteer().then((gazetteer) => searchGazetteer(gazetteer, text, most)),
    geocoderUrl ? askOnline(geocoderUrl, text, ctx.locale, most).catch((error) => failed(ctx, error)) : [],
  ])
  const places = [...own, ...online.filter((place) => !own.some((other) => isNear(place, other)))].slice(0, most)
  return { places, message: places.length > 0 ? null : translate(ctx.locale, 'places:search.nothing') }
}

function failed(ctx: Context, error: unknown): FoundPlace[] {
  ctx.services.log.warn({ err: error }, 'the geocoder cannot be asked')
  return []
}

/** The same town from both sources: within about 5 km, and under the same name. */
const isNear = (a: FoundPlace, b: FoundPlace): boolean =>
  Math.abs(a.lat - b.lat) < 0.05 && Math.abs(a.lon - b.lon) < 0.05 && a.name.startsWith(b.name)
