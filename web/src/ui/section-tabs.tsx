import { Link } from '@tanstack/react-router'
import classes from './section-tabs.module.css'

export interface SectionTab {
  to: string
  label: string
  params?: Record<string, string>
}

/** The tabs of a section: links with their own URL. A single tab is no choice, and is not shown. */
export function SectionTabs({ label, tabs }: { label: string; tabs: SectionTab[] }) {
  if (tabs.length < 2) return null
  return (
    <nav aria-label={label} className={classes.tabs}>
      {tabs.map((tab) => (
        <Link
          key={tab.to}
          to={tab.to as never}
          params={tab.params as never}
          className={classes.tab}
          activeOptions={{ includeSearch: false }}
        >
          {tab.label}
        </Link>
      ))}
    </nav>
  )
}
