import { type ComponentType, Suspense, useCallback, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './map.module.css'
import type { IsothermMapProps } from './map-props.ts'

type Loaded = { Canvas: ComponentType<IsothermMapProps> } | 'loading' | 'failed'

const DEFAULT_HEIGHT_PX = 360

/**
 * The one map: positions with their states, a path with direction, over the offline basemap or configured online tiles.
 * The drawing code (255 KB) is fetched when a map is first shown; this file itself is small.
 */
export function IsothermMap(props: IsothermMapProps) {
  return (
    <div className={classes.frame} style={{ height: props.height ?? DEFAULT_HEIGHT_PX }}>
      <Suspense fallback={<div className={classes.loading} />}>
        <LoadedMap {...props} />
      </Suspense>
    </div>
  )
}

function LoadedMap(props: IsothermMapProps) {
  const { t } = useTranslation('map')
  const [loaded, setLoaded] = useState<Loaded>('loading')
  const load = useCallback(() => {
    setLoaded('loading')
    import('./map-canvas.tsx').then(
      ({ MapCanvas }) => setLoaded({ Canvas: MapCanvas }),
      () => setLoaded('failed'),
    )
  }, [])
  // After the frame with the figures around it: they must not wait behind the map's files.
  useEffect(() => {
    let waiting: ReturnType<typeof setTimeout> | undefined
    const frame = requestAnimationFrame(() => {
      waiting = setTimeout(load)
    })
    return () => {
      cancelAnimationFrame(frame)
      clearTimeout(waiting)
    }
  }, [load])

  if (loaded === 'loading') return <div className={classes.loading} role="status" aria-label={t('notices.loading')} />
  if (loaded === 'failed') {
    return (
      <div className={classes.broken} role="alert">
        {t('notices.loadFailed')}
        <button type="button" className={classes.retry} onClick={load}>
          {t('controls.retry')}
        </button>
      </div>
    )
  }
  return <loaded.Canvas {...props} />
}
