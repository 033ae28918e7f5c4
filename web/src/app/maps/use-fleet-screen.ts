import type { FenceColour, FoundPlace } from '@isotherm/contract/places.ts'
import { createContext, use, useEffect, useEffectEvent, useMemo, useReducer, useRef } from 'react'
import { boundsOfShape, type Chosen, newest, type ShapeKind } from '../../features/places/fence-shapes.ts'
import type { ShownLayers } from '../../features/places/parts/layer-menu.tsx'
import { shapeOf, usePlaceEditor } from '../../features/places/use-place-editor.ts'
import { useGeofences, usePoints } from '../../features/places/use-places.ts'
import { useCan } from '../../lib/can.ts'
import { useUrlSearch } from '../../lib/url-search.ts'
import type { View } from '../../map/fly-to.tsx'
import { usePhone } from '../../ui/use-phone.ts'
import { useFleetMap } from './use-fleet-map.ts'
import { usePlayback } from './use-playback.ts'

interface Look {
  layers: ShownLayers
  /** Colour of the fence that is being drawn. */
  colour: FenceColour
  chosen: Chosen | null
  /** Where the map was last asked to look. */
  view: View | null
  /** The place that was searched for. */
  place: FoundPlace | null
}

const firstLook: Look = {
  layers: { geofences: true, points: true },
  colour: 'red',
  chosen: null,
  view: null,
  place: null,
}
const fenceRadiusM = 1_000

/** The state of the map of everything, and what people do with it. */
export function useFleetScreen() {
  const isPhone = usePhone()
  const mayEdit = useCan('devices.addOrEdit')
  const fleet = useFleetMap()
  const editor = usePlaceEditor()
  const playback = usePlayback(fleet.selected?.id ?? null)
  const side = useRef<HTMLDivElement>(null)
  const [asked, change] = useReducer((before: Look, next: Partial<Look>): Look => ({ ...before, ...next }), firstLook)
  const fences = useGeofences(asked.layers.geofences)
  const points = usePoints(asked.layers.points)
  const chosen = useMemo(() => asked.chosen && newest(asked.chosen, fences, points), [asked.chosen, fences, points])
  const look = { ...asked, chosen }

  const select = (id: string | null) => {
    change({ chosen: null })
    playback.close()
    fleet.select(id)
  }
  const { search, change: changeSearch } = useUrlSearch()
  const [placeKind, placeId] = search.place?.split('-') ?? []
  const fence = placeKind === 'geofence' && fences.find(({ id }) => id === placeId)
  const point = placeKind === 'point' && points.find(({ id }) => id === placeId)
  const isAsked = Boolean(fence || point)
  const showAsked = useEffectEvent(() => {
    const chosen: Chosen | null = fence ? { kind: 'geofence', fence } : point ? { kind: 'point', point } : null
    if (chosen) change({ chosen, view: { bounds: boundsOfShape(shapeOf(chosen)) } })
    changeSearch({ place: undefined })
  })
  // A link to a place: once it has arrived.
  useEffect(() => {
    if (isAsked) showAsked()
  }, [isAsked])
  return {
    ...{ isPhone, mayEdit, fleet, editor, playback, fences, points, look, change, select },
    /** The frame of forms and cards. */
    side,
    selectByName(id: string) {
      select(id)
      const device = fleet.all.find((each) => each.id === id)
      if (device?.lat != null && device.lon != null)
        change({ view: { bounds: [device.lon, device.lat, device.lon, device.lat], maxZoom: 11 } })
    },
    chooseByName: (chosen: Chosen) => change({ chosen, view: { bounds: boundsOfShape(shapeOf(chosen)) } }),
    chooseOnMap(kind: 'geofence' | 'point', id: string) {
      const fence = kind === 'geofence' && fences.find((each) => each.id === id)
      const point = kind === 'point' && points.find((each) => each.id === id)
      if (fence) change({ chosen: { kind: 'geofence', fence } })
      else if (point) change({ chosen: { kind: 'point', point } })
    },
    draw(kind: ShapeKind) {
      select(null)
      change({ colour: 'red' })
      editor.draw(kind)
    },
    edit(target: Chosen) {
      if (target.kind === 'geofence') change({ colour: target.fence.colour })
      editor.change(target)
    },
    found: (place: FoundPlace) =>
      change({
        place,
        view: { bounds: [place.lon, place.lat, place.lon, place.lat], maxZoom: zoomFor(place.population) },
      }),
    fencePlace({ lat, lon, name }: FoundPlace) {
      const centre = { lat, lon }
      editor.encircle(centre, fenceRadiusM, name.slice(0, 80))
      const view = { bounds: boundsOfShape({ kind: 'circle', centre, radiusM: fenceRadiusM }) }
      change({ place: null, chosen: null, colour: 'red', view })
    },
  }
}

const Context = createContext<ReturnType<typeof useFleetScreen> | null>(null)
export const FleetScreenContext = Context.Provider

/** The state of the screen around. */
export function useFleet() {
  const state = use(Context)
  if (!state) throw new Error('a part of the map of everything stands outside it')
  return state
}

/** Large towns from farther away. */
const zoomFor = (population: number | null): number =>
  population === null ? 14 : population > 1_000_000 ? 9.5 : population > 100_000 ? 11 : 12.5
