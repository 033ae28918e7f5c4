import type { Period } from '@isotherm/contract/common.ts'
import { Group, useComputedColorScheme } from '@mantine/core'
import { IconZoomIn } from '@tabler/icons-react'
import { lazy, Suspense, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { zoneName } from '../lib/times.ts'
import { type Cursor, createCursor, useWasPointed } from './cursor.ts'
import { type Canvas, draw, openCanvas } from './echarts.ts'
import { geometryOf, zoomed } from './geometry.ts'
import { ImageButton } from './image-button.tsx'
import type { ChartLayout, ChartMark, ChartPanel, TimeWindow } from './model.ts'
import { drawnOf, optionOf } from './options.ts'
import { paletteOf } from './palette.ts'
import classes from './time-chart.module.css'
import { useGestures } from './use-gestures.ts'
import { keysOf } from './use-keys.ts'
import { useWidth } from './use-size.ts'
import { useZoom } from './use-zoom.ts'
import { useChartWords } from './words.ts'
import { writingIn } from './writing.ts'
import { ZoomButton } from './zoom-button.tsx'

// Only for who moves the cursor by keys: the device's page is full.
const SpokenCursor = lazy(async () => ({ default: (await import('./spoken-cursor.tsx')).SpokenCursor }))

const ZoomedButtons = lazy(async () => ({ default: (await import('./zoomed-buttons.tsx')).ZoomedButtons }))
const ZoomedNote = lazy(async () => ({ default: (await import('./zoomed-note.tsx')).ZoomedNote }))
// Once something is pointed at.
const CursorOverlay = lazy(async () => ({ default: (await import('./cursor-overlay.tsx')).CursorOverlay }))
// The same, for charts of many devices.
const LinesOverlay = lazy(async () => ({ default: (await import('./lines-overlay.tsx')).LinesOverlay }))

export interface TimeChartProps {
  panels: readonly ChartPanel[]
  layout: ChartLayout
  /** Flags above the plots, such as alarms that fired. */
  marks?: readonly ChartMark[]
  /** The whole period, ms. */
  from: number
  to: number
  /** IANA zone of the axis. */
  zone: string
  /** Shared with a map or a table, so that pointing in one points in all. */
  cursor?: Cursor
  /** After the shown part came to rest: the part, or null for the whole. Fetch finer data here. */
  onZoom?: (window: TimeWindow | null) => void
  /** Makes the shown part the period of the page; given where the page's period can be chosen. */
  onUse?: (period: Period) => void
  /** Names it where a page has several charts. */
  name?: string
  /** CSS pixels of the plots together. */
  height?: number
  /** With it the chart can be downloaded as an image under this title; `note` is written below the title. */
  image?: { title: string; note?: string }
}

/** Measures over time. Give it a `key` of the chosen period, so that another period starts unzoomed. */
export function TimeChart(props: TimeChartProps) {
  const { panels, layout, marks = noMarks, from, to, zone, cursor, onZoom, onUse, name, height = 380, image } = props
  const { t, i18n } = useTranslation('charts')
  const [own] = useState(createCursor)
  const pointer = cursor ?? own
  const whole = useMemo(() => ({ from, to }), [from, to])
  const isPointed = useWasPointed(pointer)
  const zoom = useZoom(whole, onZoom)
  const { window } = zoom
  const surface = useRef<HTMLElement>(null)
  const canvasHost = useRef<HTMLDivElement>(null)
  const canvas = useRef<Canvas>(null)
  const width = useWidth(surface)
  const palette = paletteOf(useComputedColorScheme('light'))
  const geometry = useMemo(
    () => geometryOf(width, height, panels.length, layout),
    [width, height, panels.length, layout],
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: the language decides how numbers are written
  const writing = useMemo(() => writingIn(zone), [zone, i18n.language])
  const drawn = useMemo(() => drawnOf({ panels, window, geometry }), [panels, window, geometry])
  const option = useMemo(
    () => optionOf({ panels, layout, marks, window, zone, geometry, palette, writing }, drawn),
    [panels, layout, marks, window, zone, geometry, palette, writing, drawn],
  )
  useLayoutEffect(() => {
    if (!canvasHost.current || width === 0) return
    const size = { width, height }
    canvas.current ??= openCanvas(canvasHost.current, size)
    draw(canvas.current, option, size)
  }, [option, width, height])
  useLayoutEffect(
    () => () => {
      canvas.current?.dispose()
      canvas.current = null
    },
    [],
  )
  const box = geometry.plots[0] ?? { left: 0, top: 0, width, height }
  const { selection, hint } = useGestures(surface, { box, whole, zoom, cursor: pointer })
  const [byKeys, setByKeys] = useState(false)
  const onKeys = keysOf(panels, whole, zoom, pointer)
  const words = useChartWords(panels, window, zone, marks)
  const middle = (window.from + window.to) / 2
  const isEmpty = drawn.every(({ runs, others }) => runs.length + others.flatMap((other) => other.runs).length === 0)
  const Overlay = panels[0]?.others?.length ? LinesOverlay : CursorOverlay
  return (
    <div className={classes.chart}>
      <div className={classes.bar}>
        <span>{t('zone', { zone: zoneName(zone, to), name: zone.replaceAll('_', ' ') })}</span>
        <Group gap={4}>
          {zoom.zoomed && (
            <Suspense>
              <ZoomedButtons onAll={() => zoom.show(null)} onOut={() => zoom.show(zoomed(window, whole, 2, middle))} />
            </Suspense>
          )}
          <ZoomButton
            label={t('zoomIn')}
            onClick={() => zoom.show(zoomed(window, whole, 0.5, pointer.get() ?? middle))}
          >
            <IconZoomIn size={17} />
          </ZoomButton>
          {image && !isEmpty && (
            <ImageButton {...image} panels={panels} layout={layout} marks={marks} window={window} zone={zone} />
          )}
        </Group>
      </div>
      <section
        ref={surface}
        className={classes.surface}
        style={{ height }}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: arrows move the cursor, + and - zoom
        tabIndex={0}
        aria-label={name ? `${name}. ${words}` : words}
        aria-roledescription={t('chart')}
        onKeyDown={(event) => {
          setByKeys(true)
          onKeys(event)
        }}
        onBlur={() => setByKeys(false)}
      >
        <div ref={canvasHost} className={classes.canvas} aria-hidden="true" />
        {isEmpty && <div className={classes.note}>{t('empty')}</div>}
        {selection && (
          <div
            className={classes.selection}
            style={{ left: selection.from, width: selection.to - selection.from, top: box.top, bottom: 26 }}
          />
        )}
        {width > 0 && isPointed && (
          <Suspense>
            <Overlay
              cursor={pointer}
              drawn={drawn}
              marks={marks}
              geometry={geometry}
              window={window}
              zone={zone}
              palette={palette}
            />
          </Suspense>
        )}
        {hint && <div className={classes.hint}>{t('wheelHint')}</div>}
      </section>
      {zoom.zoomed && (
        <Suspense>
          <ZoomedNote window={window} whole={whole} zone={zone} onUse={onUse} />
        </Suspense>
      )}
      {byKeys && (
        <Suspense>
          <SpokenCursor cursor={pointer} panels={panels} zone={zone} />
        </Suspense>
      )}
    </div>
  )
}

const noMarks: readonly never[] = []
