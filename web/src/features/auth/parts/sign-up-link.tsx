import { useTranslation } from 'react-i18next'
import { TextLink } from '../../../ui/text-link.tsx'
import { useRegistration } from './use-registration.ts'

/** The way to the sign-up screen, where anybody may sign up. */
export function SignUpLink() {
  const { t } = useTranslation('auth')
  const mode = useRegistration()
  if (mode !== 'open') return null
  return (
    <>
      {t('login.noAccount')} <TextLink to="/signup">{t('login.signUp')}</TextLink>
    </>
  )
}
