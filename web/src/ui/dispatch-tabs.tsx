import type { Guard } from '@isotherm/contract/call.ts'
import { useTranslation } from 'react-i18next'
import { can } from '../lib/can.ts'
import { type SectionTab, SectionTabs } from './section-tabs.tsx'

/** The tabs of the dispatch section, where several features live: one line per page that exists. */
const tabs: { to: SectionTab['to']; label: string; needs: Guard }[] = [
  { to: '/dispatch/overview', label: 'dispatchOverview', needs: 'dispatch.view' },
  { to: '/dispatch/drivers', label: 'dispatchDrivers', needs: 'dispatch.view' },
  { to: '/dispatch/vehicles', label: 'dispatchVehicles', needs: 'dispatch.view' },
  { to: '/dispatch/contacts', label: 'dispatchContacts', needs: 'dispatch.view' },
  { to: '/dispatch/partners', label: 'dispatchPartners', needs: 'dispatch.view' },
]

export function DispatchTabs() {
  const { t } = useTranslation('shell')
  const shown = tabs.filter(({ needs }) => can(needs)).map(({ to, label }) => ({ to, label: t(`nav.${label}`) }))
  return <SectionTabs label={t('nav.dispatch')} tabs={shown} />
}
