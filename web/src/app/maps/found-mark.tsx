import type { FoundPlace } from '@isotherm/contract/places.ts'
import { useComputedColorScheme } from '@mantine/core'
import { Layer, Source } from '@vis.gl/react-maplibre'
import { palettes } from '../../map/palette.ts'

/** A ring around the place that was searched for. */
export function FoundMark({ place: { lat, lon } }: { place: FoundPlace }) {
  const { ink } = palettes[useComputedColorScheme('light')]
  const data = {
    type: 'Feature' as const,
    geometry: { type: 'Point' as const, coordinates: [lon, lat] },
    properties: {},
  }
  return (
    <Source id="found" type="geojson" data={data}>
      <Layer
        id="found"
        type="circle"
        paint={{
          'circle-radius': 16,
          'circle-opacity': 0,
          'circle-color': ink,
          'circle-stroke-color': ink,
          'circle-stroke-width': 2.5,
        }}
      />
    </Source>
  )
}
