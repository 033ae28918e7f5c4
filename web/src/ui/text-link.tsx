import { Link, type LinkProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import classes from './text-link.module.css'

/** A link inside text: underlined, because colour alone is no signal. */
export const TextLink = ({ to, children }: { to: LinkProps['to']; children: ReactNode }) => (
  <Link to={to} className={classes.link}>
    {children}
  </Link>
)
