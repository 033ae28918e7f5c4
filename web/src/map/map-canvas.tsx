import type { MapSources } from '@isotherm/contract/basemap.ts'
import type { MapType } from '@isotherm/contract/company.ts'
import { useComputedColorScheme } from '@mantine/core'
import { useReducedMotion } from '@mantine/hooks'
import { AttributionControl, type MapRef, Map as MapView } from '@vis.gl/react-maplibre'
import type { TFunction } from 'i18next'
import { use, useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isSetUp, sourceFor } from './kinds.ts'
import { MapControls } from './map-controls.tsx'
import { MapNotices } from './map-notices.tsx'
import type { IsothermMapProps } from './map-props.ts'
import { MapSetup } from './map-setup.tsx'
import { mapStyle } from './map-style.ts'
import { loadMaplibre } from './maplibre.ts'
import { type MapMarker, placedMarkers } from './marker-data.ts'
import { MarkerLayers } from './marker-layers.tsx'
import { MarkerList } from './marker-list.tsx'
import { placedPoints } from './path-data.ts'
import { PathLayers } from './path-layers.tsx'
import { boundsOf, joinBounds } from './positions.ts'
import { closestZoom, firstSight, initialView, useCamera } from './use-camera.ts'
import { useMapSources } from './use-map-sources.ts'
import { useOnlineState } from './use-online-state.ts'
import { usePointer } from './use-pointer.ts'
import { useTilesLoading } from './use-tiles-loading.ts'

const maplibre = loadMaplibre()
const NO_MARKERS: readonly MapMarker[] = []
/** North is up, and nothing is seen from the side. */
const flat = {
  maxPitch: 0,
  minZoom: 0.8,
  maxZoom: 18,
  dragRotate: false,
  touchPitch: false,
  pitchWithRotate: false,
  attributionControl: false,
} as const
const NO_SOURCES: MapSources = { basemap: null, streets: null, sources: [] }

/** The map itself with everything on it; see IsothermMap for what the properties mean. */
export function MapCanvas(props: IsothermMapProps) {
  const { label, markers = NO_MARKERS, path, selectedId, fitTo = 'all', padding, cursorAt, children } = props
  const { t, i18n } = useTranslation('map')
  const pageTheme = useComputedColorScheme('light')
  const theme = props.theme ?? pageTheme
  const calm = useReducedMotion()
  // Here before the map is: one that is left while its library is on the way has no place to be drawn in.
  const mapLib = use(maplibre)
  const stands = useStanding()
  const view = useRef<MapRef>(null)
  const [ready, setReady] = useState(false)
  const [broken, setBroken] = useState(false)
  const onReady = useCallback(() => setReady(true), [])
  const [ownType, setOwnType] = useState<MapType | null>(null)
  const mapType = props.onMapTypeChange ? (props.mapType ?? 'roadmap') : (ownType ?? props.mapType ?? 'roadmap')

  const { sources, lost } = useMapSources()
  const online = (sources ?? NO_SOURCES).sources
  const language = i18n.language
  const style = useMemo(
    () => mapStyle({ theme, language, mapType, sources: sources ?? NO_SOURCES, nameOfSea: (sea) => t(`seas.${sea}`) }),
    [theme, language, mapType, sources, t],
  )

  const placed = useMemo(() => placedMarkers(markers), [markers])
  const points = useMemo(() => placedPoints(path), [path])
  const selected = placed.find(({ id }) => id === selectedId)
  const bounds = useMemo(() => {
    if (Array.isArray(fitTo)) return fitTo
    return joinBounds(fitTo === 'path' ? null : boundsOf(placed), fitTo === 'markers' ? null : boundsOf(points))
  }, [fitTo, placed, points])
  const hasStreets = mapType === 'roadmap' && Boolean(sources?.streets ?? sourceFor(mapType, online))
  const closest = hasStreets ? closestZoom.streets : closestZoom.land
  const show = useCamera(view, { ready, bounds, padding, fitKey: props.fitKey, selected, closest })
  // Read once, when the map is made: that is when its sources are known.
  const start = initialView(firstSight(bounds, selected), padding, closest)
  const isLoading = useTilesLoading(view, ready)
  const tiles = useOnlineState(sourceFor(mapType, online)?.url)
  const pointer = usePointer(view, {
    points,
    gapMs: path?.gapMs,
    selectedId,
    onSelect: props.onSelect,
    onCursorAt: props.onCursorAt,
    inert: props.inert ?? false,
  })

  return (
    <>
      {(sources || lost) && (
        <MapView
          ref={view}
          mapLib={mapLib}
          mapStyle={style}
          initialViewState={start}
          locale={canvasTexts(label, t)}
          {...flat}
          cooperativeGestures={props.cooperative ?? false}
          fadeDuration={calm ? 0 : 150}
          {...pointer}
          onError={(event) => {
            if (!event.target && stands.current) {
              setBroken(true)
              console.error(event.error)
            }
            tiles.onError(event)
          }}
          onSourceData={tiles.onSourceData}
        >
          <MapSetup label={label} onReady={onReady} />
          <AttributionControl compact />
          <PathLayers points={points} gapMs={path?.gapMs} cursorAt={cursorAt} theme={theme} />
          <MarkerLayers markers={placed} selected={selected} theme={theme} />
          {children}
        </MapView>
      )}
      {!broken && (
        <MapControls
          view={view}
          padding={padding}
          onFit={() => show(bounds)}
          mapType={mapType}
          online={online}
          onMapType={props.onMapTypeChange ?? setOwnType}
          extra={props.controls}
        />
      )}
      {ready && <MarkerList view={view} markers={placed} selectedId={selectedId} onSelect={props.onSelect} />}
      <MapNotices
        broken={broken}
        lost={lost}
        preparing={sources?.basemap === null}
        loading={isLoading}
        unreachable={tiles.unreachable ? mapType : null}
        missing={isSetUp(mapType, online) ? null : mapType}
        empty={placed.length === 0 && points.length === 0 && (props.markers !== undefined || props.path !== undefined)}
        emptyText={props.emptyText}
        padding={padding}
      />
    </>
  )
}

/** The few words that MapLibre itself says. */
function canvasTexts(label: string, t: TFunction<'map'>): Record<string, string> {
  return {
    'Map.Title': label,
    'AttributionControl.ToggleAttribution': t('controls.attribution'),
    'CooperativeGesturesHandler.WindowsHelpText': t('gestures.ctrl'),
    'CooperativeGesturesHandler.MacHelpText': t('gestures.command'),
    'CooperativeGesturesHandler.MobileHelpText': t('gestures.fingers'),
  }
}

/** Whether what it is called by is on the page at this moment. */
function useStanding() {
  const stands = useRef(false)
  useLayoutEffect(() => {
    stands.current = true
    return () => {
      stands.current = false
    }
  }, [])
  return stands
}
