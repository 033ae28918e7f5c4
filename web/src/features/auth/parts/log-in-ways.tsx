import { useTranslation } from 'react-i18next'
import { TextLink } from '../../../ui/text-link.tsx'
import { PasskeyButton, type PasskeyButtonProps } from './passkey-button.tsx'
import { useRegistration } from './use-registration.ts'

/** Besides the password: the passkey, where the server takes one, and the way to the sign-up screen, where anybody may sign up. */
export function LogInWays({ onEntered }: PasskeyButtonProps) {
  const { t } = useTranslation('auth')
  const registration = useRegistration()
  return (
    <>
      {registration?.takesPasskeys && (
        <span style={{ display: 'grid', justifyItems: 'center', marginBottom: 12 }}>
          <PasskeyButton onEntered={onEntered} />
        </span>
      )}
      {registration?.mode === 'open' && (
        <span style={{ display: 'block', textAlign: 'center' }}>
          {t('login.noAccount')} <TextLink to="/signup">{t('login.signUp')}</TextLink>
        </span>
      )}
    </>
  )
}
