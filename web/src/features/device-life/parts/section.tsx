import { Paper, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './life.module.css'

interface SectionProps {
  title: string
  text?: ReactNode
  /** Buttons, for those who may press them. */
  actions?: ReactNode
  children?: ReactNode
}

/** One matter of a device's life: how it stands, and what can be done. */
export function Section({ title, text, actions, children }: SectionProps) {
  return (
    <Paper className={classes.panel} component="section" aria-label={title}>
      <div className={classes.head}>
        <div className={classes.words}>
          <Title order={2}>{title}</Title>
          {text && (
            <Text size="sm" c="dimmed">
              {text}
            </Text>
          )}
        </div>
        {actions && <div className={classes.actions}>{actions}</div>}
      </div>
      {children}
    </Paper>
  )
}
