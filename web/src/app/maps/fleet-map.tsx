import type { FenceColour, FoundPlace, Geofence, PointOfInterest } from '@isotherm/contract/places.ts'
import { lazy, Suspense, useMemo, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useCursor } from '../../charts/cursor.ts'
import { stateOf } from '../../features/devices/device-state.ts'
import type { Chosen, ShapeKind } from '../../features/places/fence-shapes.ts'
import { DrawMenu } from '../../features/places/parts/draw-menu.tsx'
import { LayerMenu, type ShownLayers } from '../../features/places/parts/layer-menu.tsx'
import type { PlaceEditor } from '../../features/places/use-place-editor.ts'
import { formatTemperature } from '../../lib/numbers.ts'
import { useCompany } from '../../lib/profile.ts'
import type { View } from '../../map/fly-to.tsx'
import { IsothermMap } from '../../map/isotherm-map.tsx'
import type { MapMarker } from '../../map/marker-data.ts'
import type { FleetDevice } from './fleet.ts'
import classes from './maps.module.css'
import type { useFleetMap } from './use-fleet-map.ts'
import type { Playback } from './use-playback.ts'
import { useTodaysPath } from './use-todays-path.ts'

// With what they need of MapLibre: only where a map is drawn already.
const PlaceLayers = lazy(async () => ({
  default: (await import('../../features/places/parts/place-layers.tsx')).PlaceLayers,
}))
const DrawTool = lazy(async () => ({ default: (await import('../../features/places/parts/draw-tool.tsx')).DrawTool }))
const FlyTo = lazy(async () => ({ default: (await import('../../map/fly-to.tsx')).FlyTo }))
const FoundMark = lazy(async () => ({ default: (await import('./found-mark.tsx')).FoundMark }))
const FollowCursor = lazy(async () => ({
  default: (await import('../../map/playback/follow-cursor.tsx')).FollowCursor,
}))

interface FleetMapProps {
  fleet: ReturnType<typeof useFleetMap>
  playback: Playback
  editor: PlaceEditor
  colour: FenceColour
  chosen: Chosen | null
  places: {
    layers: ShownLayers
    setLayers: (layers: ShownLayers) => void
    fences: readonly Geofence[]
    points: readonly PointOfInterest[]
  }
  view: View | null
  found: FoundPlace | null
  isPhone: boolean
  onSelect: (id: string | null) => void
  onChoose: (kind: 'geofence' | 'point', id: string) => void
  onChooseByName: (chosen: Chosen) => void
  /** Undefined: they may not. */
  onDraw: ((kind: ShapeKind) => void) | undefined
}

const markerOf = (device: FleetDevice): MapMarker => ({
  id: device.id,
  lat: device.lat,
  lon: device.lon,
  state: stateOf(device).tone,
  label: device.name,
  value: device.temperatureC === null ? undefined : formatTemperature(device.temperatureC),
})

/** The map itself. It alone is drawn anew while a playback runs. */
export function FleetMap({ fleet, playback, editor, colour, chosen, places, found, ...props }: FleetMapProps) {
  const { t } = useTranslation('maps')
  const mapType = useCompany()?.mapType
  const { shown, selected } = fleet
  const markers = useMemo(() => (playback.isOpen ? [] : shown.map(markerOf)), [shown, playback.isOpen])
  const today = useTodaysPath(playback.isOpen ? null : (selected?.id ?? null))
  const path = playback.isOpen ? playback.path : today.path
  const cursorAt = useCursor(playback.cursor)
  const padding = useMemo(
    () =>
      props.isPhone
        ? { top: searchPx, bottom: playback.isOpen ? 190 : 0 }
        : { left: 344, top: searchPx, bottom: playback.isOpen ? 160 : 0 },
    [props.isPhone, playback.isOpen],
  )
  // The map looks at a playback's path once that is there, and stays where the person has moved it afterwards.
  const fitKey = useRef('fleet')
  if (playback.path && playback.fitKey) fitKey.current = playback.fitKey
  const { edit } = editor
  const chosenId = chosen ? (chosen.kind === 'geofence' ? chosen.fence.id : chosen.point.id) : null
  const editedId = edit?.target ? chosenId : null
  return (
    <div className={classes.map}>
      <IsothermMap
        label={t('label')}
        height="100%"
        markers={markers}
        path={path}
        fitTo={playback.isOpen ? 'path' : 'markers'}
        fitKey={fitKey.current}
        padding={padding}
        mapType={mapType}
        selectedId={selected?.id ?? null}
        onSelect={playback.isOpen ? undefined : props.onSelect}
        cursorAt={playback.isOpen ? cursorAt : null}
        inert={edit !== null}
        emptyText={t(playback.isOpen ? 'play.nothing' : 'empty')}
        controls={
          <>
            <LayerMenu
              label={t('layers.menu')}
              shown={places.layers}
              onShown={places.setLayers}
              fences={places.fences}
              points={places.points}
              onChoose={props.onChooseByName}
            />
            {props.onDraw && <DrawMenu onDraw={props.onDraw} />}
          </>
        }
      >
        <Suspense fallback={null}>
          <PlaceLayers
            fences={places.layers.geofences ? places.fences : none}
            points={places.layers.points ? places.points : none}
            hiddenId={editedId}
            chosenId={chosenId}
            onChoose={edit || playback.isOpen ? undefined : props.onChoose}
          />
        </Suspense>
        <Suspense fallback={null}>
          <FlyTo view={props.view} padding={props.isPhone ? beneathCard : besideCard} />
          {found && <FoundMark place={found} />}
        </Suspense>
        {edit && (
          <Suspense fallback={null}>
            <DrawTool
              task={edit.task}
              colour={colour}
              radiusM={edit.shape?.kind === 'point' ? edit.shape.radiusM : defaultRadiusM}
              onShape={editor.onShape}
            />
          </Suspense>
        )}
        {playback.isOpen && playback.follow && (
          <Suspense fallback={null}>
            <FollowCursor cursor={playback.cursor} path={playback.path} padding={padding} />
          </Suspense>
        )}
      </IsothermMap>
    </div>
  )
}

/** The search for places lies over the map's top. */
const searchPx = 40
/** Where the list, and the card of what is looked at, leave room. */
const besideCard = { left: 344, right: 340 }
const beneathCard = { bottom: 260 }
const none: readonly never[] = []
/** Default radius of a new point of interest. */
const defaultRadiusM = 200
