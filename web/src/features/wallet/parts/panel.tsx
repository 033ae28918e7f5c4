import { Paper } from '@mantine/core'
import type { ReactNode } from 'react'
import frames from '../../../ui/frames.module.css'

/** One matter of the wallet. */
export const Panel = ({ title, children }: { title: string; children: ReactNode }) => (
  <Paper className={frames.panel} component="section" aria-label={title}>
    <h2>{title}</h2>
    {children}
  </Paper>
)
