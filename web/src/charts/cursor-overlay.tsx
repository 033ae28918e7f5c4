import { rangeText } from '@isotherm/contract/range-text.ts'
import { useTranslation } from 'react-i18next'
import { formatNumber, noValue } from '../lib/numbers.ts'
import { formatTime } from '../lib/times.ts'
import type { Drawn } from './chart-input.ts'
import { type Cursor, useCursor } from './cursor.ts'
import { markedAt, saidAt } from './flags.ts'
import { type Geometry, xOf } from './geometry.ts'
import type { ChartMark, ChartPanel, ChartPoint, TimeWindow } from './model.ts'
import { pointedAt } from './nearest.ts'
import { sideOf } from './outside.ts'
import type { Palette } from './palette.ts'
import classes from './time-chart.module.css'
import { valueText } from './value-text.ts'

export interface OverlayProps {
  cursor: Cursor
  drawn: readonly Drawn[]
  marks: readonly ChartMark[]
  geometry: Geometry
  window: TimeWindow
  zone: string
  palette: Palette
}

/** The line at the pointed instant, a dot on each curve, and a card with the values. */
export function CursorOverlay({ cursor, drawn, marks, geometry, window, zone, palette }: OverlayProps) {
  const { t } = useTranslation('charts')
  const at = useCursor(cursor)
  const box = geometry.plots[0]
  if (at === null || !box || at < window.from || at > window.to) return null
  const reach = Math.max(((window.to - window.from) / box.width) * 12, 1)
  const found = drawn.map(({ panel, domain }, index) => {
    const point = pointedAt(panel.points, at, reach)
    const before = panel.previous ? pointedAt(panel.previous, at, reach) : null
    return { panel, domain, point, before, plot: geometry.plots[index] ?? box }
  })
  const shownAt = found.find((each) => each.point)?.point?.at ?? at
  const x = xOf(Math.min(Math.max(shownAt, window.from), window.to), window, box)
  const bottom = Math.max(...geometry.plots.map((plot) => plot.top + plot.height))
  const flags = markedAt(marks, at, reach)
  const isNarrow = geometry.width < 480
  const isRight = x > box.left + box.width / 2
  return (
    <>
      <div className={classes.cursor} style={{ left: x, top: box.top, height: bottom - box.top }} />
      {found.map(({ panel, domain, point, plot }) => {
        if (!point) return null
        const y = plot.top + ((domain.max - point.avg) / (domain.max - domain.min)) * plot.height
        if (y < plot.top - 1 || y > plot.top + plot.height + 1) return null
        return (
          <div
            key={panel.measure}
            className={classes.dot}
            style={{ left: x, top: y, color: colourOf(panel, point, palette) }}
          />
        )
      })}
      <div
        className={classes.card}
        style={isNarrow ? beside(isRight, 0, 0) : beside(!isRight, x + 10, geometry.width - x + 10)}
      >
        <div className={classes.cardTime}>{formatTime(shownAt, zone)}</div>
        {found.map(({ panel, point, before }) => (
          <div key={panel.measure} className={classes.cardRow}>
            <span
              className={classes.swatch}
              style={{ background: point ? colourOf(panel, point, palette) : palette.grid }}
            />
            <span className={classes.cardLabel}>{panel.label}</span>
            <strong>{point ? valueText(panel, point.avg) : noValue}</strong>
            {point && point.max > point.min && !(isNarrow && before) && (
              <span className={classes.cardRange}>
                {rangeText(formatNumber(point.min, panel.decimals), formatNumber(point.max, panel.decimals))}
              </span>
            )}
            {before && (
              <span className={classes.cardRange}>{t('before', { value: valueText(panel, before.avg) })}</span>
            )}
          </div>
        ))}
        {found.flatMap(({ panel }) =>
          saidAt(panel, shownAt).map((said) => (
            <div key={panel.measure + said} className={classes.cardMark}>
              {said}
            </div>
          )),
        )}
        {flags.map((mark) => (
          <div key={`${mark.at} ${mark.label}`} className={classes.cardMark} style={{ color: palette.mark[mark.tone] }}>
            {mark.label}
          </div>
        ))}
      </div>
    </>
  )
}

/** On a phone the card keeps to the edge away from the finger: beside it there is no room. */
export const beside = (isLeft: boolean, left: number, right: number) => (isLeft ? { left } : { right })

const colourOf = (panel: ChartPanel, point: ChartPoint, palette: Palette) => {
  const side = sideOf(point, panel.limits)
  return side ? palette.side[side] : palette.line[panel.measure]
}
