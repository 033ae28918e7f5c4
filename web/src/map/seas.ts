import type { FeatureCollection, Point } from 'geojson'

/** Where the names of oceans, seas and great lakes stand, and from which zoom on. Their words are in map.json. */
const SEAS = {
  northAtlantic: [-42, 30, 1],
  southAtlantic: [-14, -22, 1],
  indianOcean: [76, -20, 1],
  northPacific: [-160, 30, 1],
  southPacific: [-125, -28, 1],
  southernOcean: [30, -60, 2],
  arcticOcean: [0, 81, 2],
  mediterranean: [18.2, 34.6, 3],
  redSea: [38.1, 20.6, 4],
  gulfOfAden: [48.4, 12.3, 5],
  arabianSea: [63.5, 14.5, 3],
  bayOfBengal: [88.5, 13.5, 3],
  gulfOfGuinea: [3, 1.6, 4],
  mozambiqueChannel: [41.2, -19, 4],
  blackSea: [34.4, 43.3, 4],
  caspianSea: [50.6, 41.6, 4],
  northSea: [3.4, 56.4, 4],
  balticSea: [19.4, 57.6, 5],
  caribbeanSea: [-75, 15, 3],
  lakeVictoria: [33, -1.2, 5],
  lakeTanganyika: [29.6, -6.2, 6],
  lakeMalawi: [34.5, -12, 6],
  lakeTurkana: [36.1, 3.7, 6],
  lakeVolta: [-0.1, 7.4, 6],
  lakeChad: [14.4, 13.1, 6],
} as const satisfies Record<string, readonly [lon: number, lat: number, minZoom: number]>

export type SeaName = keyof typeof SEAS

/** `nameOf` gives the words in the reader's language. */
export function seaPoints(nameOf: (sea: SeaName) => string): FeatureCollection<Point> {
  return {
    type: 'FeatureCollection',
    features: (Object.keys(SEAS) as SeaName[]).map((sea) => {
      const [lon, lat, minzoom] = SEAS[sea]
      return {
        type: 'Feature',
        geometry: { type: 'Point', coordinates: [lon, lat] },
        properties: { name: nameOf(sea), minzoom },
      }
    }),
  }
}
