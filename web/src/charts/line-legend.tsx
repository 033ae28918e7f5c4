import { CloseButton, Group } from '@mantine/core'
import type { ReactNode } from 'react'

interface LegendProps {
  lines: readonly { id: string; name: ReactNode; colour: string }[]
  label: string
  onRemove?: (id: string) => void
  removeLabel?: (id: string) => string
}

/** The lines in colour by name; each can be taken away where `onRemove` is given. */
export function LineLegend({ lines, label, onRemove, removeLabel }: LegendProps) {
  if (lines.length === 0) return null
  return (
    <Group component="ul" aria-label={label} gap="4px 16px" fz="sm" p={0} my={8}>
      {lines.map(({ id, name, colour }) => (
        <Group component="li" key={id} gap={6} wrap="nowrap">
          <span style={{ flex: 'none', width: 14, height: 4, borderRadius: 2, background: colour }} />
          {name}
          {onRemove && <CloseButton size="sm" aria-label={removeLabel?.(id)} onClick={() => onRemove(id)} />}
        </Group>
      ))}
    </Group>
  )
}
