import { Badge, type BadgeProps } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Tone } from './state-dot.tsx'
import classes from './tone-badge.module.css'

interface ToneBadgeProps extends Omit<BadgeProps, 'color' | 'variant'> {
  tone: Tone
  children: ReactNode
}

/** A word in the colours of its tone, which can be read in both themes; it is never cut off. */
export const ToneBadge = ({ tone, children, ...props }: ToneBadgeProps) => (
  <Badge className={classes.badge} data-tone={tone} {...props}>
    {children}
  </Badge>
)
