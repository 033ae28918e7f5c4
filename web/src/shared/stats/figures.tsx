import { Paper, Tooltip } from '@mantine/core'
import type { CSSProperties, ReactNode } from 'react'
import classes from './figures.module.css'

/** Figures in a row, grouped: what a period comes to. */
export const FigureStrip = ({ label, children }: { label: string; children: ReactNode }) => (
  <Paper className={classes.strip} component="section" aria-label={label}>
    {children}
  </Paper>
)

interface FigureGroupProps {
  title: string
  /** Beside the title: what the figures mean. */
  state?: ReactNode
  children: ReactNode
}

export const FigureGroup = ({ title, state, children }: FigureGroupProps) => (
  <div className={classes.group}>
    <div className={classes.heading}>
      <h2>{title}</h2>
      {state}
    </div>
    <dl className={classes.figures} aria-label={title}>
      {children}
    </dl>
  </div>
)

interface FigureProps {
  label: string
  /** Said on hover and focus. */
  hint?: string | undefined
  /** Where the row is wide enough for seven: the column it stands in. */
  column?: number
  /** Small, below the value. */
  note?: ReactNode
  /** A long note: a narrow screen gives it a line of its own. */
  isWide?: boolean
  children: ReactNode
}

export function Figure({ label, hint, note, isWide, column, children }: FigureProps) {
  const value = (
    <dd>
      {children}
      {note && <span className={classes.note}>{note}</span>}
    </dd>
  )
  return (
    <div
      className={classes.figure}
      data-wide={isWide || undefined}
      style={column ? ({ '--figure-column': column } as CSSProperties) : undefined}
    >
      <dt>{label}</dt>
      {hint ? (
        <Tooltip label={hint} multiline maw={320}>
          {value}
        </Tooltip>
      ) : (
        value
      )}
    </div>
  )
}
