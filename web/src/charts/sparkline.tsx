import { memo } from 'react'
import type { Tone } from '../ui/state-dot.tsx'
import classes from './sparkline.module.css'
import { type SparkLimits, type SparkPoint, sparkShape } from './sparkline-path.ts'

interface SparklineProps {
  points: readonly SparkPoint[]
  limits: SparkLimits
  from: number
  to: number
  gapMs: number
  tone: Tone
  /** Its description; without it the line is decoration beside a number. */
  label?: string
  /** Draws the limits as lines, too. */
  hasLimitLines?: boolean
  width?: number
  height?: number
}

/** A day in a line: plain SVG, light enough for a list. The limits are the faint band. */
export const Sparkline = memo(function Sparkline(props: SparklineProps) {
  const { points, limits, from, to, gapMs, tone, label, hasLimitLines, width = 96, height = 28 } = props
  const { line, band } = sparkShape(points, limits, { from, to }, { width, height }, gapMs)
  return (
    <svg
      className={classes.sparkline}
      data-tone={tone}
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      role={label ? 'img' : 'presentation'}
      aria-label={label}
      aria-hidden={label ? undefined : true}
    >
      {band && <rect className={classes.band} x="0" y={band.y} width={width} height={band.height} />}
      {hasLimitLines && band && limits.max !== null && <LimitLine y={band.y} width={width} />}
      {hasLimitLines && band && limits.min !== null && <LimitLine y={band.y + band.height} width={width} />}
      <path className={classes.line} d={line} />
    </svg>
  )
})

const LimitLine = ({ y, width }: { y: number; width: number }) => (
  <line className={classes.limit} x1="0" x2={width} y1={y} y2={y} />
)
