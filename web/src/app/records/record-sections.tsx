import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import tabs from '../../ui/section-tabs.module.css'
import classes from './records.module.css'

export type RecordSection = 'chart' | 'excursions' | 'signatures' | 'papers' | 'reports' | 'readings'

/** Links to the sections of a record's page, which is long. */
export function RecordSections({ sections }: { sections: readonly RecordSection[] }) {
  const { t } = useTranslation('records')
  return (
    <nav aria-label={t('sections.label')} className={`${tabs.tabs} ${classes.sections}`}>
      {sections.map((section) => (
        <Link
          key={section}
          to="."
          search={true}
          hash={section}
          className={tabs.tab}
          activeProps={{ 'aria-current': undefined }}
        >
          {t(`sections.${section}`)}
        </Link>
      ))}
    </nav>
  )
}

interface AnchoredProps {
  id: RecordSection
  label?: string
  className?: string
  children: ReactNode
}

/** A section that a link of the page leads to. */
export const Anchored = ({ id, label, className = '', children }: AnchoredProps) => (
  <section id={id} aria-label={label} className={`${classes.anchored} ${className}`}>
    {children}
  </section>
)
