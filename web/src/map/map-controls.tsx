import type { TileSource } from '@isotherm/contract/basemap.ts'
import type { MapType } from '@isotherm/contract/company.ts'
import type { MapRef } from '@vis.gl/react-maplibre'
import type { ReactNode, RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './map.module.css'
import type { MapPadding } from './map-props.ts'
import { MapTypeMenu } from './map-type-menu.tsx'

type MapControlsProps = {
  view: RefObject<MapRef | null>
  padding: MapPadding | undefined
  onFit: () => void
  mapType: MapType
  online: readonly TileSource[]
  onMapType: (mapType: MapType) => void
  extra?: ReactNode
}

/** Kind of map, show all, zoom: at the right edge, inside the room that panels leave. */
export function MapControls({ view, padding, onFit, mapType, online, onMapType, extra }: MapControlsProps) {
  const { t } = useTranslation('map')
  return (
    <div className={classes.controls} style={{ marginTop: padding?.top, marginRight: padding?.right }}>
      <MapTypeMenu mapType={mapType} online={online} onMapType={onMapType} />
      <div className={classes.buttons}>
        <ControlButton label={t('controls.zoomIn')} onClick={() => view.current?.zoomIn()}>
          <path d="M8 3v10M3 8h10" />
        </ControlButton>
        <ControlButton label={t('controls.zoomOut')} onClick={() => view.current?.zoomOut()}>
          <path d="M3 8h10" />
        </ControlButton>
        <ControlButton label={t('controls.fit')} onClick={onFit}>
          <path d="M2.5 5.5v-3h3M10.5 2.5h3v3M13.5 10.5v3h-3M5.5 13.5h-3v-3" />
        </ControlButton>
      </div>
      {extra && <div className={classes.buttons}>{extra}</div>}
    </div>
  )
}

function ControlButton({ label, onClick, children }: { label: string; onClick: () => void; children: ReactNode }) {
  return (
    <button type="button" className={classes.button} aria-label={label} title={label} onClick={onClick}>
      <svg viewBox="0 0 16 16" aria-hidden="true">
        {children}
      </svg>
    </button>
  )
}
