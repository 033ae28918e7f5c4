import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Page } from './page.tsx'
import { type SectionTab, SectionTabs } from './section-tabs.tsx'

const tabs: { to: string; label: string }[] = [
  { to: '/settings/profile', label: 'nav.profile' },
  { to: '/settings/businessprofile', label: 'nav.businessProfile' },
  { to: '/settings/changepassword', label: 'nav.changePassword' },
  { to: '/settings/chart-settings', label: 'nav.chartSettings' },
]

/** The frame of the /settings screens; several features live there. `more` adds tabs of those who may see more. */
export function SettingsPage({ more = [], children }: { more?: SectionTab[]; children: ReactNode }) {
  const { t } = useTranslation('shell')
  const all = [...tabs.map(({ to, label }) => ({ to, label: t(label) })), ...more]
  return (
    <Page title={t('nav.settings')} tabs={<SectionTabs label={t('settings.sections')} tabs={all} />} width="text">
      {children}
    </Page>
  )
}
