import { Loader } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { GuestLayout } from './guest-layout.tsx'

export function SsoWaiting() {
  const { t } = useTranslation('auth')
  return (
    <GuestLayout title={t('sso.waiting')}>
      <Loader size="sm" color="gray" role="status" aria-label={t('sso.waiting')} />
    </GuestLayout>
  )
}
