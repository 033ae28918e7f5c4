import type { FoundPlace } from '@isotherm/contract/places.ts'
import { z } from 'zod'

const patienceMs = 4_000
// A call holds a database connection while it waits: a slow geocoder must not take them all.
const maxConcurrent = 2
let underWay = 0

/** The answer of Nominatim, Photon's relatives and LocationIQ with `format=jsonv2`. */
const Answer = z.array(
  z.object({
    display_name: z.string(),
    lat: z.coerce.number().min(-90).max(90),
    lon: z.coerce.number().min(-180).max(180),
    address: z.object({ country_code: z.string().optional() }).optional(),
  }),
)

/** Addresses by the configured geocoder; `template` holds {q} and may hold {lang}. Rejects where it cannot be reached, or is asked already. */
export async function askOnline(template: string, text: string, language: string, most: number): Promise<FoundPlace[]> {
  if (underWay >= maxConcurrent) throw new Error('the geocoder is busy')
  underWay += 1
  try {
    return await ask(template, text, language, most)
  } finally {
    underWay -= 1
  }
}

async function ask(template: string, text: string, language: string, most: number): Promise<FoundPlace[]> {
  const url = template.replaceAll('{q}', encodeURIComponent(text)).replaceAll('{lang}', language)
  const response = await fetch(url, {
    headers: { accept: 'application/json', 'user-agent': 'Isotherm' },
    signal: AbortSignal.timeout(patienceMs),
    redirect: 'error',
  })
  if (!response.ok) throw new Error(`the geocoder answered ${response.status}`)
  const places = Answer.parse(await response.json())
  return places.slice(0, most).map(({ display_name, lat, lon, address }) => ({
    name: display_name.slice(0, 200),
    country: address?.country_code?.slice(0, 2).toUpperCase() ?? null,
    lat,
    lon,
    near: null,
    population: null,
  }))
}
