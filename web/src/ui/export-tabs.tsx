import type { Guard } from '@isotherm/contract/call.ts'
import { useTranslation } from 'react-i18next'
import { can } from '../lib/can.ts'
import { type SectionTab, SectionTabs } from './section-tabs.tsx'

/** The tabs of the export section, where several features live: one line per page that exists. */
const tabs: (Pick<SectionTab, 'to' | 'isExact'> & { label: string; needs: Guard })[] = [
  { to: '/export/dispatch', label: 'exportShipments', needs: 'dispatch.view', isExact: true },
  { to: '/export/dispatch/origin', label: 'exportOrigins', needs: 'dispatch.view' },
  { to: '/export/dispatch/destination', label: 'exportDestinations', needs: 'dispatch.view' },
  { to: '/export/dispatch/partners', label: 'exportPartners', needs: 'dispatch.view' },
  { to: '/export/calibrations', label: 'exportCalibrations', needs: 'dispatch.view' },
  { to: '/export/scorecards', label: 'exportScorecards', needs: 'dispatch.view' },
  { to: '/export/settings', label: 'exportSettings', needs: 'dispatch.view' },
]

export function ExportTabs() {
  const { t } = useTranslation('shell')
  const shown = tabs
    .filter(({ needs }) => can(needs))
    .map(({ to, isExact, label }) => ({ to, ...(isExact && { isExact }), label: t(`nav.${label}`) }))
  return <SectionTabs label={t('nav.export')} tabs={shown} />
}
