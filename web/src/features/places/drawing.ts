import type { Map as Maplibre } from 'maplibre-gl'
import {
  TerraDraw,
  TerraDrawCircleMode,
  TerraDrawPointMode,
  TerraDrawPolygonMode,
  TerraDrawSelectMode,
} from 'terra-draw'
import { TerraDrawMapLibreGLAdapter } from 'terra-draw-maplibre-gl-adapter'
import { circleOf, pointsOf, ringOf, roundRadius, type Shape, type ShapeKind } from './fence-shapes.ts'

type Hex = `#${string}`

/** One shape being drawn or changed with the mouse. */
export interface Drawing {
  /** Lets the person draw a new shape; `onShape` is called once it is finished, and after every change. */
  begin(kind: ShapeKind): void
  /** Lets the person change a shape that is there. */
  edit(shape: Shape): void
  setColour(colour: Hex): void
  end(): void
}

const noKeys = { deselect: null, delete: null, rotate: null, scale: null }
const shapeFlags = {
  draggable: true,
  coordinates: { midpoints: true, draggable: true, deletable: true },
}

/** Starts terra-draw on a map. `radiusM` of points is the form's: a point has none of its own. */
export function openDrawing(map: Maplibre, onShape: (shape: Shape) => void, pointRadiusM: () => number): Drawing {
  let colour: Hex = '#d3343a'
  // A circle has a corner every few degrees: small handles, so that they look like its edge.
  let hasManyHandles = false
  let lastId = 0
  const nextId = () => {
    lastId += 1
    return lastId
  }
  const fill = () => colour
  const outline = { outlineColor: fill, outlineWidth: 3, fillColor: fill, fillOpacity: 0.25 }
  const corners = { closingPointColor: '#ffffff', closingPointOutlineColor: '#1d232b', closingPointWidth: 6 } as const
  const handles = {
    selectionPointColor: '#ffffff',
    selectionPointOutlineColor: '#1d232b',
    selectionPointWidth: () => (hasManyHandles ? 3 : 6),
    selectionPointOutlineWidth: () => (hasManyHandles ? 1 : 2),
  } as const
  const chosen = {
    ...handles,
    selectedPolygonColor: fill,
    selectedPolygonOutlineColor: fill,
    selectedPolygonOutlineWidth: 3,
    selectedPointColor: '#1d232b',
    selectedPointOutlineColor: '#ffffff',
    selectedPointOutlineWidth: 3,
    selectedPointWidth: 9,
    midPointColor: '#ffffff',
    midPointOutlineColor: '#1d232b',
  } as const
  const draw = new TerraDraw({
    adapter: new TerraDrawMapLibreGLAdapter({ map, coordinatePrecision: 7 }),
    // Its own ids need crypto.randomUUID, which plain http does not have.
    idStrategy: { isValidId: (id) => typeof id === 'number', getId: nextId },
    modes: [
      new TerraDrawCircleMode({ styles: outline, keyEvents: null, projection: 'globe' }),
      new TerraDrawPolygonMode({ styles: { ...outline, ...corners }, keyEvents: { cancel: null, finish: 'Enter' } }),
      new TerraDrawPointMode({
        styles: { pointColor: '#1d232b', pointOutlineColor: '#ffffff', pointOutlineWidth: 3, pointWidth: 7 },
      }),
      new TerraDrawSelectMode({
        keyEvents: noKeys,
        allowManualDeselection: false,
        flags: {
          polygon: { feature: shapeFlags },
          circle: { feature: { draggable: true, coordinates: { resizable: 'center-fixed' } } },
          point: { feature: { draggable: true } },
        },
        styles: chosen,
      }),
    ],
  })
  draw.start()
  const isOver = keepThroughStyles(map, () =>
    // Styles that are given anew have everything drawn again, in every mode.
    draw.updateModeOptions<typeof TerraDrawSelectMode>('select', { styles: chosen }),
  )

  const shapeAt = (id: string | number): Shape | null => {
    const feature = draw.getSnapshotFeature(id)
    if (!feature) return null
    const { geometry, properties } = feature
    if (geometry.type === 'Point') {
      const [lon = 0, lat = 0] = geometry.coordinates
      return { kind: 'point', position: { lat, lon }, radiusM: pointRadiusM() }
    }
    if (geometry.type !== 'Polygon') return null
    const ring = geometry.coordinates[0] ?? []
    if (properties.mode === 'polygon') return { kind: 'polygon', points: pointsOf(ring) }
    const { centre, radiusM } = circleOf(ring)
    return { kind: 'circle', centre, radiusM: roundRadius(radiusM) }
  }

  const tell = (id: string | number) => {
    const shape = shapeAt(id)
    if (shape) onShape(shape)
  }
  draw.on('finish', (id, { action }) => {
    tell(id)
    // A drawing can be changed until it is saved; not within the event that finished it.
    if (action === 'draw') setTimeout(() => draw.enabled && draw.hasFeature(id) && draw.selectFeature(id))
  })

  return {
    begin(kind) {
      hasManyHandles = kind === 'circle'
      draw.clear()
      draw.setMode(kind)
    },
    edit(shape) {
      hasManyHandles = shape.kind === 'circle'
      draw.clear()
      const id = nextId()
      const geometry =
        shape.kind === 'point'
          ? { type: 'Point' as const, coordinates: [round(shape.position.lon), round(shape.position.lat)] }
          : { type: 'Polygon' as const, coordinates: [ringOf(shape).map((corner) => corner.map(round))] }
      draw.setMode('select')
      const [added] = draw.addFeatures([{ id, type: 'Feature', geometry, properties: { mode: shape.kind } }])
      if (added?.valid) draw.selectFeature(id)
    },
    setColour(next) {
      colour = next
      // Styles are functions: an update of nothing has them asked again.
      draw.updateModeOptions<typeof TerraDrawSelectMode>('select', {})
      const [selected] = draw.getSnapshot().filter(({ properties }) => properties.selected)
      if (selected?.id !== undefined) draw.updateFeatureProperties(selected.id, { colour: next })
    },
    end() {
      isOver()
      if (draw.enabled) draw.stop()
    },
  }
}

/** Puts sources and layers of terra-draw back when another style of the map has taken them away; returns how to stop that. */
function keepThroughStyles(map: Maplibre, drawAgain: () => void): () => void {
  const { sources, layers } = map.getStyle()
  const own = Object.entries(sources).filter(([id]) => id.startsWith('td-'))
  const drawn = layers.filter((layer) => 'source' in layer && layer.source.startsWith('td-'))
  const putBack = () => {
    if (own.every(([id]) => map.getSource(id)) || !map.getStyle()) return
    for (const [id, source] of own) if (!map.getSource(id)) map.addSource(id, source)
    for (const layer of drawn) if (!map.getLayer(layer.id)) map.addLayer(layer)
    drawAgain()
  }
  map.on('styledata', putBack)
  return () => void map.off('styledata', putBack)
}

const round = (degrees: number): number => Math.round(degrees * 1e7) / 1e7
