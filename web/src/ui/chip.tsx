import { UnstyledButton } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './chip.module.css'

interface ChipProps {
  pressed: boolean
  onClick: () => void
  /** How many it would show. */
  count?: number | undefined
  children: ReactNode
}

/** A choice that is on or off, alone or among others. */
export const Chip = ({ pressed, onClick, count, children }: ChipProps) => (
  <UnstyledButton className={classes.chip} aria-pressed={pressed} onClick={onClick}>
    {children}
    {count !== undefined && <span className={classes.count}>{count}</span>}
  </UnstyledButton>
)
