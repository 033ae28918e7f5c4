import type { MapLib } from '@vis.gl/react-maplibre'
import { AttributionControl, Map as MapClass, setWorkerUrl } from 'maplibre-gl'
import 'maplibre-gl/dist/maplibre-gl.css'
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url'
import { fonts } from './label-layers.ts'

// A file of our own: the content policy forbids workers made from blobs.
setWorkerUrl(workerUrl)

/** The parts of MapLibre that the map and what is put on it use: one more here, `Marker` say, is loaded by everybody. */
const parts = { Map: MapClass, AttributionControl }

/** Letters of both files of the typeface; each is fetched when one of its letters is asked for. */
const SAMPLE = 'aā'

/** MapLibre, once the typeface is there: letters drawn before would stay in the fallback's shape. */
export async function loadMaplibre(): Promise<MapLib> {
  const wanted = Object.values(fonts).map((names) => `500 16px ${names.at(-1)}`)
  await Promise.allSettled([...new Set(wanted)].map((font) => document.fonts.load(font, SAMPLE)))
  return parts as MapLib
}
