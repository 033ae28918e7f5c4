import type { RecordDetails } from '@isotherm/contract/records.ts'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useCan } from '../../lib/can.ts'
import tabs from '../../ui/section-tabs.module.css'
import { useChosenInView } from '../../ui/use-chosen-in-view.ts'
import classes from './records.module.css'

type RecordSection = 'chart' | 'excursions' | 'signatures' | 'papers' | 'reports' | 'readings'

/** Links to the sections of a record's page, which is long. */
export function RecordSections({ record }: { record: RecordDetails | undefined }) {
  const { t } = useTranslation('records')
  const bar = useRef<HTMLElement>(null)
  useChosenInView(bar, '[aria-current="page"]')
  const mayView = useCan('devices.view') && record?.state !== 'planned'
  const isMeasured = mayView && (record?.devices.length ?? 0) > 0
  const sections: RecordSection[] = [
    ...(isMeasured ? (['chart', 'excursions'] as const) : []),
    ...(['signatures', 'papers'] as const),
    ...(mayView ? (['reports'] as const) : []),
    ...(isMeasured ? (['readings'] as const) : []),
  ]
  return (
    <nav aria-label={t('sections.label')} className={tabs.tabs} ref={bar}>
      {sections.map((section) => (
        <Link
          key={section}
          to="."
          search={true}
          hash={section}
          className={tabs.tab}
          activeOptions={{ includeHash: true, exact: true }}
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
  className?: string | undefined
  children: ReactNode
}

/** A section that a link of the page leads to. */
export const Anchored = ({ id, label, className = '', children }: AnchoredProps) => (
  <section id={id} aria-label={label} className={`${classes.anchored} ${className}`}>
    {children}
  </section>
)
