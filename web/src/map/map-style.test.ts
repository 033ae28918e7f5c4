import type { MapSources, TileSource } from '@isotherm/contract/basemap.ts'
import { validateStyleMin } from '@maplibre/maplibre-gl-style-spec'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { sourceFor } from './kinds.ts'
import { mapStyle } from './map-style.ts'

const source = (kind: TileSource['kind']): TileSource => ({
  kind,
  url: `https://tiles.example/${kind}/{z}/{x}/{y}.png`,
  attribution: '© Example',
})
const basemap = { url: '/tiles/basemap/{z}/{x}/{y}.pbf?v=1', maxZoom: 8 }
const all: MapSources = { basemap, streets: null, sources: [source('roadmap'), source('satellite'), source('terrain')] }

const style = (mapType: TileSource['kind'], sources = all, language = 'en', theme: 'light' | 'dark' = 'light') =>
  mapStyle({ theme, language, mapType, sources, nameOfSea: (sea) => sea })
const orderOf = (built: ReturnType<typeof style>) => built.layers.map(({ id }) => id)

beforeAll(() => {
  vi.stubGlobal('window', { location: { href: 'https://isotherm.example/maps' } })
})
afterAll(() => void vi.unstubAllGlobals())

describe('the style', () => {
  test.each(['roadmap', 'satellite', 'terrain', 'hybrid'] as const)(
    'of %s is valid in every language, light and dark',
    (mapType) => {
      for (const language of ['en', 'fr', 'es', 'sw']) {
        for (const theme of ['light', 'dark'] as const)
          expect(validateStyleMin(style(mapType, all, language, theme))).toEqual([])
      }
    },
  )

  test('without any online source is complete, and asks nothing of another host', () => {
    const offline = style('satellite', { basemap, streets: null, sources: [] })
    expect(validateStyleMin(offline)).toEqual([])
    expect(JSON.stringify(offline.sources)).not.toContain('tiles.example')
    expect(offline.glyphs).toBeUndefined()
  })

  test('while the basemap is being made has water only', () => {
    expect(orderOf(style('roadmap', { basemap: null, streets: null, sources: [] }))).toEqual(['water'])
  })

  test('puts pictures above the offline land, so that it shows through where they fail', () => {
    const order = orderOf(style('satellite'))
    expect(order.indexOf('online')).toBe(order.length - 1)
    expect(order).toContain('land')
  })

  test('draws streets over the offline land and below its names, and beneath online tiles that may fail', () => {
    const streets = { url: '/tiles/streets/{z}/{x}/{y}.pbf?v=1', minZoom: 0, maxZoom: 15 }
    for (const theme of ['light', 'dark'] as const) {
      const built = style('roadmap', { basemap, streets, sources: [] }, 'en', theme)
      expect(validateStyleMin(built)).toEqual([])
      const order = orderOf(built)
      expect(order.indexOf('street-major')).toBeGreaterThan(order.indexOf('land'))
      expect(order.indexOf('street-name')).toBeLessThan(order.indexOf('city'))
    }
    const withOnline = orderOf(style('roadmap', { ...all, streets }))
    expect(withOnline.indexOf('online')).toBeGreaterThan(withOnline.indexOf('street-name'))
    expect(orderOf(style('satellite', { ...all, streets })).filter((id) => id.startsWith('street'))).toEqual([])
  })

  test('puts names above relief and hybrid pictures', () => {
    for (const mapType of ['terrain', 'hybrid'] as const) {
      const order = orderOf(style(mapType))
      expect(order.indexOf('online')).toBeGreaterThan(order.indexOf('land'))
      expect(order.indexOf('online')).toBeLessThan(order.indexOf('country'))
    }
  })

  test('names countries in the reader’s language', () => {
    const names = (language: string) =>
      JSON.stringify(style('roadmap', all, language).layers.find(({ id }) => id === 'country')?.layout)
    expect(names('en')).toContain('"South Africa"')
    expect(names('fr')).toContain('"Afrique du Sud"')
    expect(names('es')).toContain('"Sudáfrica"')
    expect(names('sw')).toContain('"Afrika Kusini"')
  })
})

test('hybrid is made of satellite pictures where it has no source of its own', () => {
  expect(sourceFor('hybrid', all.sources)?.kind).toBe('satellite')
  expect(sourceFor('hybrid', [source('hybrid'), source('satellite')])?.kind).toBe('hybrid')
  expect(sourceFor('satellite', [source('roadmap')])).toBeUndefined()
})
