import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useCan } from '../lib/can.ts'
import { Page } from './page.tsx'
import { type SectionTab, SectionTabs } from './section-tabs.tsx'

const tabs: SectionTab[] = [
  { to: '/settings/profile', label: 'nav.profile' },
  { to: '/settings/businessprofile', label: 'nav.businessProfile' },
  { to: '/settings/changepassword', label: 'nav.changePassword' },
  { to: '/settings/security', label: 'nav.security' },
  { to: '/settings/chart-settings', label: 'nav.chartSettings' },
  { to: '/settings/warranty', label: 'nav.warranty' },
]
const sharing: SectionTab = { to: '/settings/sharing', label: 'nav.sharing' }
const decommissioned: SectionTab = { to: '/settings/decommissioned-devices', label: 'nav.decommissionedDevices' }

interface SettingsPageProps {
  /** Tabs of those who may see more. */
  more?: SectionTab[]
  width?: 'text' | 'panels' | 'wide'
  children: ReactNode
}

/** The frame of the /settings screens; several features live there. */
export function SettingsPage({ more = [], width = 'text', children }: SettingsPageProps) {
  const { t } = useTranslation('shell')
  const mayView = useCan('devices.view')
  const isAdmin = useCan('admin')
  const shown = [...tabs, ...(isAdmin ? [sharing] : []), ...(mayView ? [decommissioned] : [])]
  const all = [...shown.map(({ to, label }) => ({ to, label: t(label) })), ...more]
  return (
    <Page title={t('nav.settings')} tabs={<SectionTabs label={t('settings.sections')} tabs={all} />} width={width}>
      {children}
    </Page>
  )
}
