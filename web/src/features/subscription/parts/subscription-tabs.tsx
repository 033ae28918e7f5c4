import { useTranslation } from 'react-i18next'
import { SectionTabs } from '../../../ui/section-tabs.tsx'

export function SubscriptionTabs() {
  const { t } = useTranslation('subscription')
  return (
    <SectionTabs
      label={t('title')}
      tabs={[
        { to: '/subscription/devices', label: t('tabs.devices') },
        { to: '/subscription/licences', label: t('tabs.licences') },
        { to: '/subscription/invoices', label: t('tabs.invoices') },
        { to: '/subscription/cards', label: t('tabs.cards') },
      ]}
    />
  )
}
