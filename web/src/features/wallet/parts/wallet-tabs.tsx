import { useTranslation } from 'react-i18next'
import { SectionTabs } from '../../../ui/section-tabs.tsx'

export function WalletTabs() {
  const { t } = useTranslation('wallet')
  return (
    <SectionTabs
      label={t('title')}
      tabs={[
        { to: '/wallet/overview', label: t('tabs.overview') },
        { to: '/wallet/details', label: t('tabs.details') },
        { to: '/wallet/history', label: t('tabs.history') },
        { to: '/wallet/settings', label: t('tabs.settings') },
      ]}
    />
  )
}
