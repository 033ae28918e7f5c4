import { limits } from '@isotherm/contract/limits.ts'
import { PasswordInput, type PasswordInputProps } from '@mantine/core'
import { useTranslation } from 'react-i18next'

/** A password to be: says how long it must be, and lets password managers propose one. */
export function NewPasswordField(props: PasswordInputProps) {
  const { t } = useTranslation('auth')
  return (
    <PasswordInput
      label={t('fields.newPassword')}
      description={t('fields.passwordHelp', { count: limits.passwordMin })}
      autoComplete="new-password"
      visibilityToggleButtonProps={{ 'aria-label': t('fields.showPassword') }}
      {...props}
    />
  )
}
