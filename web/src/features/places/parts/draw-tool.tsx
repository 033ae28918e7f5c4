import type { FenceColour } from '@isotherm/contract/places.ts'
import { useMap } from '@vis.gl/react-maplibre'
import { useEffect, useEffectEvent, useRef } from 'react'
import { type Drawing, openDrawing } from '../drawing.ts'
import { fenceHex } from '../fence-palette.ts'
import type { Shape } from '../fence-shapes.ts'
import type { DrawTask } from '../use-place-editor.ts'

interface DrawToolProps {
  task: DrawTask
  colour: FenceColour
  /** Radius of a point that is being placed. */
  radiusM: number
  onShape: (shape: Shape) => void
}

/** Drawing with the mouse on the map it is a child of. Bring it by `import()`: terra-draw comes with it. */
export function DrawTool({ task, colour, radiusM, onShape }: DrawToolProps) {
  const map = useMap().current?.getMap()
  const drawing = useRef<Drawing | null>(null)
  const tell = useEffectEvent(onShape)
  const radiusNow = useEffectEvent(() => radiusM)
  useEffect(() => {
    if (!map) return
    drawing.current = openDrawing(
      map,
      (shape) => tell(shape),
      () => radiusNow(),
    )
    return () => {
      // The page may have taken the map away first.
      if (map.getStyle()) drawing.current?.end()
      drawing.current = null
    }
  }, [map])
  // biome-ignore lint/correctness/useExhaustiveDependencies: another map needs the task again
  useEffect(() => {
    if ('begin' in task) drawing.current?.begin(task.begin)
    else drawing.current?.edit(task.edit)
  }, [task, map])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new task draws anew
  useEffect(() => drawing.current?.setColour(fenceHex[colour]), [colour, task, map])
  return null
}
