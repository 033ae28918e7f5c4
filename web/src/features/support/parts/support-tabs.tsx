import { useTranslation } from 'react-i18next'
import { SectionTabs } from '../../../ui/section-tabs.tsx'

export function SupportTabs() {
  const { t } = useTranslation('support')
  return (
    <SectionTabs
      label={t('title')}
      tabs={[
        { to: '/support', label: t('tabs.requests'), isExact: true },
        { to: '/support/features', label: t('tabs.features') },
      ]}
    />
  )
}
