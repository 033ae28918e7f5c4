import type { LatLon } from '@isotherm/contract/places.ts'
import { useCallback, useMemo, useState } from 'react'
import type { Chosen, Shape, ShapeKind } from './fence-shapes.ts'

/** The task of the drawing tool: a new object is a new task. */
export type DrawTask = { begin: ShapeKind } | { edit: Shape }

export interface PlaceEdit {
  kind: ShapeKind
  /** The place being changed; null: a new one. */
  target: Chosen | null
  /** Null until it has been drawn. */
  shape: Shape | null
  task: DrawTask
  /** A name to begin with. */
  name: string
}

export const shapeOf = (chosen: Chosen): Shape =>
  chosen.kind === 'geofence'
    ? chosen.fence.area
    : { kind: 'point', position: chosen.point.position, radiusM: chosen.point.radiusM }

/** State of drawing or changing on the map, one thing at a time. */
export function usePlaceEditor() {
  const [edit, setEdit] = useState<PlaceEdit | null>(null)
  const draw = useCallback(
    (kind: ShapeKind) => setEdit({ kind, target: null, shape: null, task: { begin: kind }, name: '' }),
    [],
  )
  const change = useCallback((target: Chosen) => {
    const shape = shapeOf(target)
    setEdit({ kind: shape.kind, target, shape, task: { edit: shape }, name: '' })
  }, [])
  /** A circle around a place that was searched for: drawing without a mouse. */
  const encircle = useCallback((centre: LatLon, radiusM: number, name: string) => {
    const shape: Shape = { kind: 'circle', centre, radiusM }
    setEdit({ kind: 'circle', target: null, shape, task: { edit: shape }, name })
  }, [])
  /** The mouse changed the shape. */
  const onShape = useCallback((shape: Shape) => setEdit((before) => before && { ...before, shape }), [])
  /** The form changed the radius: the map follows. */
  const setRadius = useCallback(
    (radiusM: number) =>
      setEdit((before) => {
        if (!before?.shape || before.shape.kind === 'polygon' || before.shape.radiusM === radiusM) return before
        const shape = { ...before.shape, radiusM }
        return { ...before, shape, task: { edit: shape } }
      }),
    [],
  )
  const close = useCallback(() => setEdit(null), [])
  return useMemo(
    () => ({ edit, draw, change, encircle, onShape, setRadius, close }),
    [edit, draw, change, encircle, onShape, setRadius, close],
  )
}
