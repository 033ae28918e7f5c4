import { useTranslation } from 'react-i18next'
import { useCan } from '../lib/can.ts'
import { SectionTabs } from './section-tabs.tsx'

/** The tabs of the devices section; several features live there. */
export function DevicesTabs() {
  const { t } = useTranslation('shell')
  const isAdmin = useCan('admin')
  return (
    <SectionTabs
      label={t('nav.devices')}
      tabs={[
        { to: '/devices/device-overview', label: t('nav.devices') },
        { to: '/devices/device-sessions', label: t('nav.deviceSessions') },
        ...(isAdmin ? ([{ to: '/devices/rejected', label: t('nav.rejectedReadings') }] as const) : []),
      ]}
    />
  )
}
