import { useMediaQuery } from '@mantine/hooks'
import { type ReactNode, useEffect, useState } from 'react'
import classes from './page.module.css'
import { HeadContext, InSlot, ListHeadContext, useSlots } from './slots.tsx'
import { WithUnbroken } from './unbroken.tsx'

export interface PageProps {
  /** Names the screen: in the top bar and in the browser's tab. */
  title: string
  /** Buttons in the page's header: beside the tabs, or else in the head of its list; below the tabs on narrow screens. */
  actions?: ReactNode
  /** A parent to go back to, where there is one. */
  breadcrumb?: ReactNode
  /** Links of a section's tabs, from <SectionTabs>. */
  tabs?: ReactNode
  /** 'text' reads well (forms), 'panels' has them in two columns where there is room, 'wide' uses all there is (tables, maps), 'bleed' has no padding. */
  width?: 'text' | 'panels' | 'wide' | 'bleed'
  children: ReactNode
}

/** From so many letters on a name is written smaller, so that a phone's bar shows all of it. */
const longTitle = 22

/** The frame of every screen inside the shell. */
export function Page({ title, actions, breadcrumb, tabs, width = 'wide', children }: PageProps) {
  const slots = useSlots()
  const isNarrow = useMediaQuery('(max-width: 599px), (max-width: 820px) and (min-height: 501px)', undefined, {
    getInitialValueInEffect: false,
  })
  const [head, setHead] = useState<HTMLElement | null>(null)
  const [list, setList] = useState<HTMLElement | null>(null)
  const inList = !tabs && !isNarrow ? list : null
  useEffect(() => {
    document.title = `${title} · Isotherm`
  }, [title])
  return (
    <ListHeadContext value={setList}>
      <InSlot slot={slots.title}>
        {breadcrumb && <span className={classes.breadcrumb}>{breadcrumb}</span>}
        <h1 className={classes.title} data-long={title.length > longTitle || undefined} title={title} tabIndex={-1}>
          <WithUnbroken text={title} />
        </h1>
      </InSlot>
      {actions && <InSlot slot={inList}>{actions}</InSlot>}
      <div className={classes.page} data-width={width}>
        {(tabs || (actions && !inList)) && (
          <div className={classes.head}>
            {tabs}
            <div className={classes.actions} ref={setHead} data-actions>
              {!inList && actions}
            </div>
          </div>
        )}
        <HeadContext value={head}>{children}</HeadContext>
      </div>
    </ListHeadContext>
  )
}
