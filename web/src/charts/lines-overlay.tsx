import { rangeText } from '@isotherm/contract/range-text.ts'
import { type ReactNode, type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatTime } from '../lib/times.ts'
import type { Drawn } from './chart-input.ts'
import { useCursor } from './cursor.ts'
import { beside, type OverlayProps } from './cursor-overlay.tsx'
import { type Box, xOf } from './geometry.ts'
import type { OtherLine, TimeWindow } from './model.ts'
import { pointedAt } from './nearest.ts'
import { limitsAt, linesAt, nearestLine } from './nearest-line.ts'
import type { Palette } from './palette.ts'
import type { Domain } from './scale.ts'
import card from './time-chart.module.css'
import { valueText } from './value-text.ts'

/** The pointed line of many stands out with the limits of its device, the others dim; a card names it and those in colour. */
export function LinesOverlay({ cursor, drawn, geometry, window, zone, palette }: OverlayProps) {
  const at = useCursor(cursor)
  const own = useRef<HTMLDivElement>(null)
  const top = usePointedHeight(own)
  const [first] = drawn
  const box = geometry.plots[0]
  return (
    <div ref={own} style={{ position: 'absolute', inset: 0, pointerEvents: 'none' }}>
      {at !== null && box && first && at >= window.from && at <= window.to && (
        <Pointed {...{ at, top, box, window, zone, palette }} drawn={first} width={geometry.width} />
      )}
    </div>
  )
}

interface PointedProps extends Pick<OverlayProps, 'window' | 'zone' | 'palette'> {
  drawn: Drawn
  box: Box
  /** The width of the whole chart. */
  width: number
  at: number
  /** The pointer's height in the chart; null while keys move the cursor. */
  top: number | null
}

function Pointed({ drawn: { panel, domain }, box, width, at, top, window, zone, palette }: PointedProps) {
  const { t } = useTranslation('charts')
  const reach = Math.max(((window.to - window.from) / box.width) * 12, 1)
  const pointed = linesAt(panel.others ?? [], at, reach)
  const value = top === null ? null : domain.max - ((top - box.top) / box.height) * (domain.max - domain.min)
  const nearest = value === null ? undefined : nearestLine(pointed, value)
  const mean = pointedAt(panel.points, at, reach)
  const shownAt = nearest?.point.at ?? mean?.at ?? pointed[0]?.point.at ?? at
  const x = xOf(Math.min(Math.max(shownAt, window.from), window.to), window, box)
  const isRight = x > box.left + box.width / 2
  const limits = nearest && limitsAt(nearest.line, shownAt)
  const limitText = (limit: number | null) => (limit === null ? null : valueText(panel, limit))
  const inColour = pointed.filter((one) => one.line.colour && one !== nearest)
  return (
    <>
      {nearest && <Standout line={nearest.line} {...{ window, box, domain, palette }} />}
      <div className={card.cursor} style={{ left: x, top: box.top, height: box.height }} />
      {nearest && (
        <div
          className={card.dot}
          style={{ left: x, top: heightOf(nearest.point.avg, box, domain), color: nearest.line.colour ?? palette.ink }}
        />
      )}
      <div className={card.card} style={width < 480 ? beside(isRight, 0, 0) : beside(!isRight, x + 10, width - x + 10)}>
        <div className={card.cardTime}>{formatTime(shownAt, zone)}</div>
        {nearest && (
          <Row colour={nearest.line.colour ?? palette.ink} name={<strong>{nearest.line.name}</strong>}>
            {valueText(panel, nearest.point.avg)}
            {limits && (
              <span className={card.cardRange}>
                {t('limits', { limits: rangeText(limitText(limits.min), limitText(limits.max)) })}
              </span>
            )}
          </Row>
        )}
        {mean && (
          <Row colour={palette.line[panel.measure]} name={t('mean')}>
            {valueText(panel, mean.avg)}
          </Row>
        )}
        {inColour.map(({ line, point }) => (
          <Row key={line.name} colour={line.colour ?? palette.ink} name={line.name}>
            {valueText(panel, point.avg)}
          </Row>
        ))}
      </div>
    </>
  )
}

const cut = { overflow: 'hidden', maxWidth: 200, textOverflow: 'ellipsis' } as const

function Row({ colour, name, children }: { colour: string; name: ReactNode; children: ReactNode }) {
  return (
    <div className={card.cardRow}>
      <span className={card.swatch} style={{ background: colour }} />
      <span className={card.cardLabel} style={cut}>
        {name}
      </span>
      {children}
    </div>
  )
}

const heightOf = (value: number, box: Box, { min, max }: Domain) => box.top + ((max - value) / (max - min)) * box.height

interface StandoutProps {
  line: OtherLine
  window: TimeWindow
  box: Box
  domain: Domain
  palette: Palette
}

/** A line over a veil that dims the rest of the plot, with its limits dashed. */
function Standout({ line, window, box, domain, palette }: StandoutProps) {
  const path = useMemo(
    () =>
      line.points
        .map(
          ({ at, avg, afterGap }, index) =>
            `${index === 0 || afterGap ? 'M' : 'L'}${(xOf(at, window, box) - box.left).toFixed(1)} ${(heightOf(avg, box, domain) - box.top).toFixed(1)}`,
        )
        .join(''),
    [line, window, box, domain],
  )
  const colour = line.colour ?? palette.ink
  const spans = (line.limits ?? []).flatMap(({ from, to, min, max }) =>
    [min, max].flatMap((limit) => (limit === null ? [] : [{ from, to, limit }])),
  )
  return (
    <svg
      style={{ position: 'absolute', overflow: 'hidden', left: box.left, top: box.top }}
      width={box.width}
      height={box.height}
    >
      <title>{line.name}</title>
      <rect width="100%" height="100%" fill={palette.surface} opacity={0.6} />
      {spans.map(({ from, to, limit }) => (
        <line
          key={`${from} ${limit}`}
          x1={xOf(from, window, box) - box.left}
          x2={xOf(to, window, box) - box.left}
          y1={heightOf(limit, box, domain) - box.top}
          y2={heightOf(limit, box, domain) - box.top}
          stroke={palette.muted}
          strokeDasharray="4 4"
        />
      ))}
      <path d={path} fill="none" stroke={colour} strokeWidth={2.5} strokeLinejoin="round" />
    </svg>
  )
}

/** The height in the chart that a pointer is at; null after a key was pressed in it. */
function usePointedHeight(own: RefObject<HTMLElement | null>): number | null {
  const [top, setTop] = useState<number | null>(null)
  useEffect(() => {
    const surface = own.current?.parentElement
    if (!surface) return
    const point = (event: PointerEvent) => setTop(event.clientY - surface.getBoundingClientRect().top)
    const forget = () => setTop(null)
    surface.addEventListener('pointermove', point)
    surface.addEventListener('pointerdown', point)
    surface.addEventListener('keydown', forget)
    return () => {
      surface.removeEventListener('pointermove', point)
      surface.removeEventListener('pointerdown', point)
      surface.removeEventListener('keydown', forget)
    }
  }, [own])
  return top
}
