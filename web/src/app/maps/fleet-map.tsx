import { lazy, Suspense, useMemo, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useCursor } from '../../charts/cursor.ts'
import { stateOf } from '../../features/devices/device-state.ts'
import { boundsOfShape } from '../../features/places/fence-shapes.ts'
import { DrawMenu } from '../../features/places/parts/draw-menu.tsx'
import { LayerMenu } from '../../features/places/parts/layer-menu.tsx'
import { shapeOf } from '../../features/places/use-place-editor.ts'
import { formatTemperature } from '../../lib/numbers.ts'
import { useCompany } from '../../lib/profile.ts'
import { IsothermMap } from '../../map/isotherm-map.tsx'
import type { MapMarker } from '../../map/marker-data.ts'
import type { Bounds } from '../../map/positions.ts'
import type { FleetDevice } from './fleet.ts'
import classes from './maps.module.css'
import { useFleet } from './use-fleet-screen.ts'
import { useTodaysPath } from './use-todays-path.ts'

// With what they need of MapLibre: only where a map is drawn already.
const PlaceLayers = lazy(async () => ({
  default: (await import('../../features/places/parts/place-layers.tsx')).PlaceLayers,
}))
const DrawTool = lazy(async () => ({ default: (await import('../../features/places/parts/draw-tool.tsx')).DrawTool }))
const FlyTo = lazy(async () => ({ default: (await import('../../map/fly-to.tsx')).FlyTo }))
const KeepClear = lazy(async () => ({ default: (await import('../../map/keep-clear.tsx')).KeepClear }))
const FoundMark = lazy(async () => ({ default: (await import('./found-mark.tsx')).FoundMark }))
const FollowCursor = lazy(async () => ({
  default: (await import('../../map/playback/follow-cursor.tsx')).FollowCursor,
}))

const markerOf = (device: FleetDevice): MapMarker => ({
  id: device.id,
  lat: device.lat,
  lon: device.lon,
  state: stateOf(device).tone,
  label: device.name,
  value: device.temperatureC === null ? undefined : formatTemperature(device.temperatureC),
})

/** The map itself. It alone is drawn anew while a playback runs. */
export function FleetMap() {
  const { t } = useTranslation('maps')
  const mapType = useCompany()?.mapType
  const { fleet, playback, editor, fences, points, look, ...screen } = useFleet()
  const { shown, selected } = fleet
  const { layers, chosen } = look
  const markers = useMemo(() => (playback.isOpen ? [] : shown.map(markerOf)), [shown, playback.isOpen])
  const today = useTodaysPath(playback.isOpen ? null : (selected?.id ?? null))
  const path = playback.isOpen ? playback.path : today.path
  const cursorAt = useCursor(playback.cursor)
  const isEditing = editor.edit !== null
  const padding = useMemo(
    () =>
      screen.isPhone
        ? { top: searchPx + (isEditing ? helpPx : 0), bottom: playback.isOpen ? 190 : 0 }
        : { left: 344, top: searchPx, bottom: playback.isOpen ? 160 : 0 },
    [screen.isPhone, playback.isOpen, isEditing],
  )
  // The map looks at a playback's path once that is there, and stays where the person has moved it afterwards.
  const fitKey = useRef('fleet')
  if (playback.path && playback.fitKey) fitKey.current = playback.fitKey
  const { edit } = editor
  const about = useAbout()
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
        onSelect={playback.isOpen ? undefined : screen.select}
        cursorAt={playback.isOpen ? cursorAt : null}
        inert={edit !== null}
        emptyText={t(playback.isOpen ? 'play.nothing' : 'empty')}
        controls={
          <>
            <LayerMenu
              label={t('layers.menu')}
              shown={layers}
              onShown={(next) => screen.change({ layers: next })}
              fences={fences}
              points={points}
              onChoose={screen.chooseByName}
            />
            {screen.mayEdit && <DrawMenu onDraw={screen.draw} />}
          </>
        }
      >
        <Suspense fallback={null}>
          <PlaceLayers
            fences={layers.geofences ? fences : none}
            points={layers.points ? points : none}
            hiddenId={editedId}
            chosenId={chosenId}
            onChoose={edit || playback.isOpen ? undefined : screen.chooseOnMap}
          />
        </Suspense>
        <Suspense fallback={null}>
          <FlyTo view={look.view} padding={screen.isPhone ? beneathCard : besideCard} />
          {look.place && <FoundMark place={look.place} />}
          <KeepClear about={playback.isOpen ? null : about} panel={screen.side} padding={padding} />
        </Suspense>
        {edit && (
          <Suspense fallback={null}>
            <DrawTool
              task={edit.task}
              colour={look.colour}
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

/** The thing that the form or card is about. While somebody draws, the shape as it was when the form opened or its radius was typed. */
function useAbout(): { bounds: Bounds } | null {
  const { editor, look, fleet } = useFleet()
  const { edit } = editor
  const shape = edit?.shape ?? null
  const drawn = useRef(shape)
  drawn.current = shape
  const { task } = edit ?? {}
  const isDrawn = shape !== null
  const { chosen } = look
  const { id, lat, lon } = fleet.selected ?? {}
  // Where the selected device goes meanwhile, people follow by themselves.
  const position = useRef<Bounds | null>(null)
  position.current = lat != null && lon != null ? [lon, lat, lon, lat] : null
  return useMemo(() => {
    if (task) return isDrawn && drawn.current ? { bounds: boundsOfShape(drawn.current) } : null
    if (chosen) return { bounds: boundsOfShape(shapeOf(chosen)) }
    return id && position.current ? { bounds: position.current } : null
  }, [task, isDrawn, chosen, id])
}

/** The search for places lies over the map's top. */
const searchPx = 40
/** Beneath it, on a phone, lie the words that say how to draw. */
const helpPx = 40
/** Where the list, and the card of what is looked at, leave room. */
const besideCard = { left: 344, right: 340 }
const beneathCard = { bottom: 260 }
const none: readonly never[] = []
/** Default radius of a new point of interest. */
const defaultRadiusM = 200
