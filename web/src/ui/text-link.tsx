import { type HistoryState, Link, type LinkProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import classes from './text-link.module.css'

interface TextLinkProps {
  to: LinkProps['to']
  /** Goes along in the history, not in the address. */
  state?: HistoryState
  children: ReactNode
}

/** A link inside text: underlined, because colour alone is no signal. */
export const TextLink = ({ to, state, children }: TextLinkProps) => (
  <Link to={to} className={classes.link} {...(state ? { state } : {})}>
    {children}
  </Link>
)
