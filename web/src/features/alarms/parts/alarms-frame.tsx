import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Page } from '../../../ui/page.tsx'
import { type SectionTab, SectionTabs } from '../../../ui/section-tabs.tsx'

/** The frame of the section: what alarms have fired, the alarms, and who is on call. */
export function AlarmsFrame({ actions, children }: { actions?: ReactNode; children: ReactNode }) {
  const { t } = useTranslation('alarms')
  const tabs: SectionTab[] = [
    { to: '/alarms/triggered-alarms', label: t('tabs.triggered') },
    { to: '/alarms/list', label: t('tabs.list') },
    { to: '/alarms/on-call', label: t('tabs.onCall') },
  ]
  return (
    <Page title={t('title')} actions={actions} tabs={<SectionTabs label={t('title')} tabs={tabs} />}>
      {children}
    </Page>
  )
}
