import type { MapType } from '@isotherm/contract/company.ts'
import { z } from 'zod'

type Kind = z.infer<typeof MapType>

interface Service {
  /** Tiles of each kind of map; `KEY` stands for the operator's. */
  tiles: Partial<Record<Kind, string>>
  attribution: string
  needsKey: boolean
}

const link = (href: string, name: string) => `<a href="${href}" target="_blank" rel="noreferrer">${name}</a>`
const osm = link('https://www.openstreetmap.org/copyright', '© OpenStreetMap contributors')

/**
 * Tile services by name. Their terms are in docs/operations.md. The tiles of openstreetmap.org are none of them: they are refused to
 * pages that, like ours, tell no referrer.
 */
const tileServices = {
  maptiler: {
    tiles: {
      roadmap: 'https://api.maptiler.com/maps/streets-v2/256/{z}/{x}/{y}.png?key=KEY',
      satellite: 'https://api.maptiler.com/tiles/satellite-v2/{z}/{x}/{y}.jpg?key=KEY',
      hybrid: 'https://api.maptiler.com/maps/hybrid/256/{z}/{x}/{y}.jpg?key=KEY',
    },
    attribution: `${link('https://www.maptiler.com/copyright/', '© MapTiler')} ${osm}`,
    needsKey: true,
  },
  thunderforest: {
    tiles: { roadmap: 'https://api.thunderforest.com/atlas/{z}/{x}/{y}.png?apikey=KEY' },
    attribution: `Maps ${link('https://www.thunderforest.com', '© Thunderforest')}, data ${osm}`,
    needsKey: true,
  },
  'aws-terrain': {
    tiles: { terrain: 'https://s3.amazonaws.com/elevation-tiles-prod/terrarium/{z}/{x}/{y}.png' },
    attribution: link(
      'https://github.com/tilezen/joerd/blob/master/docs/attribution.md',
      'Terrain Tiles: Mapzen and others',
    ),
    needsKey: false,
  },
} as const satisfies Record<string, Service>

const services: Record<string, Service> = tileServices
const names = Object.keys(tileServices)
  .map((name) => (services[name]?.needsKey ? `${name}:KEY` : name))
  .join(', ')

interface PresetTiles {
  kind: Kind
  url: string
  attribution: string
}

const faultOf = (entry: string): string | null => {
  const [name = '', key = ''] = entry.split(':')
  const service = services[name]
  if (!service) return `has no service "${name}": it is a list of ${names}`
  if (service.needsKey && !/^[\w.-]{8,200}$/.test(key)) return `needs a key of ${name}, as in ${name}:KEY`
  return !service.needsKey && key !== '' ? `gives ${name} a key, which it does not take` : null
}

/** `maptiler:KEY,aws-terrain`: of each kind of map the first service that has it. */
export const tilePresets = z
  .string()
  .transform((text) => text.split(',').map((entry) => entry.trim()))
  .superRefine((entries, context) => {
    for (const message of entries.map(faultOf)) if (message) context.addIssue({ code: 'custom', message })
  })
  .transform((entries): PresetTiles[] =>
    entries.flatMap((entry) => {
      const [name = '', key = ''] = entry.split(':')
      const { tiles = {}, attribution = '' } = services[name] ?? {}
      return Object.entries(tiles).map(([kind, url]) => ({
        kind: kind as Kind,
        url: url.replace('KEY', encodeURIComponent(key)),
        attribution,
      }))
    }),
  )
