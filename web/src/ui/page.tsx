import { type ReactNode, useEffect } from 'react'
import classes from './page.module.css'
import { InSlot, useSlots } from './slots.tsx'

export interface PageProps {
  /** Names the screen: in the top bar and in the browser's tab. */
  title: string
  /** Buttons at the right of the title; below it on a phone. */
  actions?: ReactNode
  /** A parent to go back to, where there is one. */
  breadcrumb?: ReactNode
  /** Links of a section's tabs, from <SectionTabs>. */
  tabs?: ReactNode
  /** 'text' reads well (forms), 'wide' uses all there is (tables, maps), 'bleed' has no padding. */
  width?: 'text' | 'wide' | 'bleed'
  children: ReactNode
}

/** The frame of every screen inside the shell. */
export function Page({ title, actions, breadcrumb, tabs, width = 'wide', children }: PageProps) {
  const slots = useSlots()
  useEffect(() => {
    document.title = `${title} · Isotherm`
  }, [title])
  return (
    <>
      <InSlot slot={slots.title}>
        {breadcrumb && <span className={classes.breadcrumb}>{breadcrumb}</span>}
        <h1 className={classes.title} tabIndex={-1}>
          {title}
        </h1>
      </InSlot>
      {actions && slots.actions && <InSlot slot={slots.actions}>{actions}</InSlot>}
      <div className={classes.page} data-width={width}>
        {actions && !slots.actions && <div className={classes.actions}>{actions}</div>}
        {tabs}
        {children}
      </div>
    </>
  )
}
