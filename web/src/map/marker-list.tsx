import type { MapRef } from '@vis.gl/react-maplibre'
import { type RefObject, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './map.module.css'
import type { PlacedMarker } from './marker-data.ts'

/** More than these nobody walks through with the keyboard; the lists beside maps are for that. */
const MOST = 60

type MarkerListProps = {
  view: RefObject<MapRef | null>
  markers: readonly PlacedMarker[]
  selectedId: string | null | undefined
  onSelect: ((id: string | null) => void) | undefined
}

/** The markers in view as buttons, unseen until the keyboard reaches them: pictures on a canvas cannot be focused. */
export function MarkerList({ view, markers, selectedId, onSelect }: MarkerListProps) {
  const { t } = useTranslation('map')
  const bounds = useViewBounds(view)
  if (!onSelect) return null
  const visible = markers.filter(({ lon, lat }) => bounds?.contains([lon, lat]))
  return (
    <ul className={classes.markerList} aria-label={t('markerList', { count: visible.length })}>
      {visible.slice(0, MOST).map(({ id, label, value, state }) => (
        <li key={id}>
          <button
            type="button"
            aria-pressed={id === selectedId}
            onClick={() => onSelect(id === selectedId ? null : id)}
          >
            {[label, value, t(`states.${state}`)].filter(Boolean).join(', ')}
          </button>
        </li>
      ))}
    </ul>
  )
}

function useViewBounds(view: RefObject<MapRef | null>) {
  const [bounds, setBounds] = useState(() => view.current?.getBounds())
  useEffect(() => {
    const map = view.current
    const onMoved = () => setBounds(map?.getBounds())
    map?.on('moveend', onMoved)
    return () => void map?.off('moveend', onMoved)
  }, [view])
  return bounds
}
