import { auth, PasswordChange } from '@isotherm/contract/auth.ts'
import { PasswordInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { toastSuccess } from '../../../lib/toast.ts'
import { EntityForm } from '../../../ui/form/entity-form.tsx'
import { useEntityForm } from '../../../ui/form/use-entity-form.ts'
import { OpenHere } from '../../../ui/open-here.tsx'
import { SettingsPage } from '../../../ui/settings-page.tsx'
import { NewPasswordField } from '../parts/new-password-field.tsx'

const blank = { currentPassword: '', newPassword: '' }

export const ChangePasswordPage = () => (
  <SettingsPage>
    <OpenHere row={auth.changePassword}>
      <PasswordForm />
    </OpenHere>
  </SettingsPage>
)

function PasswordForm() {
  const { t } = useTranslation('auth')
  const form = useEntityForm({
    initialValues: blank,
    schema: PasswordChange,
    toBody: (values) => values,
    save: (body) => call(auth.changePassword, { body }),
    onSaved: () => {
      form.startFrom(blank)
      toastSuccess(t('changePassword.saved'))
    },
  })
  return (
    <EntityForm form={form} submitLabel={t('changePassword.submit')} label={t('changePassword.title')}>
      <PasswordInput
        label={t('fields.currentPassword')}
        autoComplete="current-password"
        visibilityToggleButtonProps={{ 'aria-label': t('fields.showPassword') }}
        {...form.fields.getInputProps('currentPassword')}
      />
      <NewPasswordField {...form.fields.getInputProps('newPassword')} />
    </EntityForm>
  )
}
