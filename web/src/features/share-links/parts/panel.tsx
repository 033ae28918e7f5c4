import { Paper, Text, Title } from '@mantine/core'
import { type ReactNode, useEffect, useRef } from 'react'
import classes from './share-links.module.css'

interface PanelProps {
  id: string
  title: string
  text: ReactNode
  action?: ReactNode
  children: ReactNode
}

/** A section of links. An address that names it brings it into view, once it is there. */
export function Panel({ id, title, text, action, children }: PanelProps) {
  const panel = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (location.hash === `#${id}`) panel.current?.scrollIntoView({ block: 'center' })
  }, [id])
  return (
    <Paper ref={panel} id={id} className={classes.panel} component="section" aria-label={title}>
      <div className={classes.head}>
        <div className={classes.words}>
          <Title order={2}>{title}</Title>
          <Text size="sm" c="dimmed">
            {text}
          </Text>
        </div>
        {action}
      </div>
      {children}
    </Paper>
  )
}
