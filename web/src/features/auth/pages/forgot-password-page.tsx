import { auth } from '@isotherm/contract/auth.ts'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { TextLink } from '../../../ui/text-link.tsx'
import { ByMailPage } from '../parts/by-mail-page.tsx'

export function ForgotPasswordPage() {
  const { t } = useTranslation('auth')
  return (
    <ByMailPage
      title={t('forgot.title')}
      lead={t('forgot.lead')}
      submitLabel={t('forgot.submit')}
      sentLead={(email) => t('checkMail.reset', { email })}
      send={(body) => call(auth.forgotPassword, { body })}
      footer={<TextLink to="/login">{t('actions.toLogin')}</TextLink>}
    />
  )
}
