import { useMap } from '@vis.gl/react-maplibre'
import { useEffect } from 'react'
import { drawImage } from './marker-images.ts'

/** Sets the map up once it exists. `onReady` is called then, whether or not any tile ever arrives. */
export function MapSetup({ label, onReady }: { label: string; onReady: () => void }) {
  const map = useMap().current?.getMap()

  useEffect(() => {
    if (!map) return
    map.touchZoomRotate.disableRotation()
    map.keyboard.disableRotation()
    // Pictures are drawn when first needed, and again should a new style have dropped them.
    map.setMissingStyleImageResolver((name) => {
      const drawn = drawImage(name)
      if (drawn && !map.hasImage(name)) map.addImage(name, drawn.image, { pixelRatio: drawn.pixelRatio })
    })
    onReady()
  }, [map, onReady])

  useEffect(() => {
    map?.getCanvas().setAttribute('aria-label', label)
  }, [map, label])

  return null
}
