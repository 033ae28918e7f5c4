import { Paper, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import frames from './frames.module.css'

interface PanelProps {
  title: string
  /** Names it to screen readers, where several of one title stand on a screen. */
  label?: string | undefined
  text?: ReactNode
  children?: ReactNode
}

/** One matter of a screen, under its heading. */
export const Panel = ({ title, label = title, text, children }: PanelProps) => (
  <Paper className={frames.panel} component="section" aria-label={label}>
    <h2>{title}</h2>
    {text && (
      <Text size="sm" c="dimmed" mb="sm">
        {text}
      </Text>
    )}
    {children}
  </Paper>
)
