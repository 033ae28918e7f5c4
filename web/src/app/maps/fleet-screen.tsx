import type { FenceColour, FoundPlace } from '@isotherm/contract/places.ts'
import { Button, Paper } from '@mantine/core'
import { useCallback, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { boundsOfShape, type Chosen, type ShapeKind } from '../../features/places/fence-shapes.ts'
import { DrawHelp } from '../../features/places/parts/draw-help.tsx'
import type { ShownLayers } from '../../features/places/parts/layer-menu.tsx'
import { PlaceCard } from '../../features/places/parts/place-card.tsx'
import { PlaceForm } from '../../features/places/parts/place-form.tsx'
import { PlaceSearch } from '../../features/places/parts/place-search.tsx'
import { shapeOf, usePlaceEditor } from '../../features/places/use-place-editor.ts'
import { useGeofences, usePoints } from '../../features/places/use-places.ts'
import { useCan } from '../../lib/can.ts'
import type { View } from '../../map/fly-to.tsx'
import { PlaybackBar } from '../../map/playback/playback-bar.tsx'
import { usePhone } from '../../ui/use-phone.ts'
import { FleetMap } from './fleet-map.tsx'
import { FleetPanel } from './fleet-panel.tsx'
import classes from './maps.module.css'
import { SelectedDevice } from './selected-device.tsx'
import { useFleetMap } from './use-fleet-map.ts'
import { usePlayback } from './use-playback.ts'

/** Map, list, card, drawing and playback, put together. */
export function FleetScreen() {
  const { t } = useTranslation('places')
  const isPhone = usePhone()
  const mayEdit = useCan('devices.addOrEdit')
  const fleet = useFleetMap()
  const [layers, setLayers] = useState<ShownLayers>({ geofences: true, points: true })
  const fences = useGeofences(layers.geofences)
  const points = usePoints(layers.points)
  const editor = usePlaceEditor()
  const { edit } = editor
  const [colour, setColour] = useState<FenceColour>('red')
  const [chosen, setChosen] = useState<Chosen | null>(null)
  const [view, setView] = useState<View | null>(null)
  const [place, setPlace] = useState<FoundPlace | null>(null)
  const playback = usePlayback(fleet.selected?.id ?? null)
  const { selected } = fleet

  const select = (id: string | null) => {
    setChosen(null)
    playback.close()
    fleet.select(id)
  }
  const selectByName = (id: string) => {
    select(id)
    const device = fleet.all.find((each) => each.id === id)
    if (device?.lat != null && device.lon != null)
      setView({ bounds: [device.lon, device.lat, device.lon, device.lat], maxZoom: 11 })
  }
  const choose = useCallback((next: Chosen, look: boolean) => {
    setChosen(next)
    if (look) setView({ bounds: boundsOfShape(shapeOf(next)) })
  }, [])
  const chooseOnMap = (kind: 'geofence' | 'point', id: string) => {
    const fence = kind === 'geofence' && fences.find((each) => each.id === id)
    const point = kind === 'point' && points.find((each) => each.id === id)
    if (fence) choose({ kind: 'geofence', fence }, false)
    else if (point) choose({ kind: 'point', point }, false)
  }
  const draw = (kind: ShapeKind) => {
    playback.close()
    fleet.select(null)
    setChosen(null)
    setColour('red')
    editor.draw(kind)
  }
  const change = (target: Chosen) => {
    if (target.kind === 'geofence') setColour(target.fence.colour)
    editor.change(target)
  }
  const found = (next: FoundPlace) => {
    setPlace(next)
    setView({ bounds: [next.lon, next.lat, next.lon, next.lat], maxZoom: zoomFor(next.population) })
  }
  const fencePlace = ({ lat, lon, name }: FoundPlace) => {
    setPlace(null)
    setChosen(null)
    setColour('red')
    editor.encircle({ lat, lon }, 1_000, name.slice(0, 80))
    setView({ bounds: boundsOfShape({ kind: 'circle', centre: { lat, lon }, radiusM: 1_000 }) })
  }

  return (
    <div className={classes.screen} data-playing={playback.isOpen || undefined}>
      <FleetMap
        fleet={fleet}
        playback={playback}
        editor={editor}
        colour={colour}
        chosen={chosen}
        places={{ layers, setLayers, fences, points }}
        view={view}
        found={place}
        isPhone={isPhone}
        onSelect={select}
        onChoose={chooseOnMap}
        onChooseByName={(next) => choose(next, true)}
        onDraw={mayEdit ? draw : undefined}
      />
      <FleetPanel fleet={fleet} isPhone={isPhone} onSelect={selectByName} />
      <div className={classes.top}>
        <PlaceSearch onFound={found} />
        {place && mayEdit && !edit && (
          <Button size="sm" variant="default" onClick={() => fencePlace(place)}>
            {t('fenceHere')}
          </Button>
        )}
        {edit && <DrawHelp edit={edit} onCancel={editor.close} />}
      </div>
      <div className={classes.side}>
        {edit?.shape ? (
          <Paper shadow="md" withBorder>
            <PlaceForm
              edit={edit}
              shape={edit.shape}
              onRadius={editor.setRadius}
              onColour={setColour}
              onCancel={editor.close}
              onSaved={(saved) => {
                editor.close()
                setChosen(saved)
              }}
            />
          </Paper>
        ) : chosen && !edit ? (
          <Paper shadow="md" withBorder>
            <PlaceCard chosen={chosen} onEdit={() => change(chosen)} onClose={() => setChosen(null)} />
          </Paper>
        ) : selected && !edit && !playback.isOpen ? (
          <Paper shadow="md" withBorder>
            <SelectedDevice id={selected.id} onPlay={playback.open} onClose={() => select(null)} />
          </Paper>
        ) : null}
      </div>
      {playback.isOpen && selected && (
        <Paper className={classes.playback} shadow="md" withBorder>
          <PlaybackBar playback={playback} name={selected.name} />
        </Paper>
      )}
    </div>
  )
}

/** Large towns from farther away. */
const zoomFor = (population: number | null): number =>
  population === null ? 14 : population > 1_000_000 ? 9.5 : population > 100_000 ? 11 : 12.5
