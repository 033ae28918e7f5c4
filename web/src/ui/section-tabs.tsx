import { Link, type LinkOptions } from '@tanstack/react-router'
import { useRef } from 'react'
import classes from './section-tabs.module.css'
import { useChosenInView } from './use-chosen-in-view.ts'

export type SectionTab = Pick<LinkOptions, 'to' | 'params' | 'search'> & {
  label: string
  /** Set where the paths of other tabs begin with that of this one. */
  isExact?: boolean
}

/** The tabs of a section: links with their own URL. A single tab is no choice, and is not shown. */
export function SectionTabs({ label, tabs }: { label: string; tabs: SectionTab[] }) {
  const bar = useRef<HTMLElement>(null)
  // On a phone the open tab may lie outside the bar.
  useChosenInView(bar, '[aria-current="page"]')
  if (tabs.length < 2) return null
  return (
    <nav aria-label={label} className={classes.tabs} ref={bar}>
      {tabs.map((tab) => (
        <Link
          key={tab.to}
          to={tab.to}
          params={tab.params}
          search={tab.search}
          className={classes.tab}
          activeOptions={{ includeSearch: false, exact: tab.isExact ?? false }}
        >
          {tab.label}
        </Link>
      ))}
    </nav>
  )
}
