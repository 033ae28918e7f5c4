import { useMap } from '@vis.gl/react-maplibre'
import { useEffect } from 'react'

interface PinByClickProps {
  /** The next click is a place. */
  isOn: boolean
  onPin: (place: { lat: number; lon: number }) => void
}

/** A child of the map by which a click chooses a place. */
export function PinByClick({ isOn, onPin }: PinByClickProps) {
  const map = useMap().current
  useEffect(() => {
    if (!map || !isOn) return
    const choose = ({ lngLat }: { lngLat: { lat: number; lng: number } }) =>
      onPin({ lat: lngLat.lat, lon: ((lngLat.lng + 540) % 360) - 180 })
    map.on('click', choose)
    map.getCanvas().style.cursor = 'crosshair'
    return () => {
      map.off('click', choose)
      map.getCanvas().style.cursor = ''
    }
  }, [map, isOn, onPin])
  return null
}
