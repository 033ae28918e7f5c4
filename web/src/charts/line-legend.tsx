import { CloseButton } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './line-legend.module.css'

interface LegendLine {
  id: string
  name: ReactNode
  colour: string
}

/** The lines in colour by name; each can be taken away where `onRemove` is given. */
export function LineLegend({
  lines,
  label,
  onRemove,
  removeLabel,
}: {
  lines: readonly LegendLine[]
  label: string
  onRemove?: (id: string) => void
  removeLabel?: (id: string) => string
}) {
  if (lines.length === 0) return null
  return (
    <ul className={classes.legend} aria-label={label}>
      {lines.map(({ id, name, colour }) => (
        <li key={id}>
          <span className={classes.swatch} style={{ background: colour }} />
          {name}
          {onRemove && <CloseButton size="sm" aria-label={removeLabel?.(id)} onClick={() => onRemove(id)} />}
        </li>
      ))}
    </ul>
  )
}
