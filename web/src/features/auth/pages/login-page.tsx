import { auth, Login } from '@isotherm/contract/auth.ts'
import { PasswordInput, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { isCallError } from '../../../lib/call-error.ts'
import { startSession } from '../../../lib/profile.ts'
import { RecordForm } from '../../../ui/form/record-form.tsx'
import { useRecordForm } from '../../../ui/form/use-record-form.ts'
import { TextLink } from '../../../ui/text-link.tsx'
import { GuestLayout } from '../parts/guest-layout.tsx'
import { ResendVerification } from '../parts/resend-verification.tsx'

export function LoginPage() {
  const { t } = useTranslation('auth')
  const navigate = useNavigate()
  const [unverified, setUnverified] = useState<string | null>(null)
  const form = useRecordForm({
    initialValues: { email: '', password: '' },
    schema: Login,
    toBody: (values) => values,
    save: async (body) => {
      setUnverified(null)
      try {
        return await call(auth.login, { body })
      } catch (error) {
        if (isCallError(error) && error.code === 'EMAIL_NOT_VERIFIED') setUnverified(body.email)
        throw error
      }
    },
    onSaved: async (answer) => {
      await startSession(answer)
      const first = answer.user.role === 'admin' && !answer.company.profileCompleted
      await navigate({ to: first ? '/companyprofile' : '/', replace: true })
    },
  })
  return (
    <GuestLayout
      title={t('login.title')}
      footer={
        <>
          {t('login.noAccount')} <TextLink to="/signup">{t('login.signUp')}</TextLink>
        </>
      }
    >
      <RecordForm form={form} submitLabel={t('login.submit')} guarded={false}>
        <TextInput
          label={t('fields.email')}
          type="email"
          name="email"
          autoComplete="username"
          autoFocus
          {...form.fields.getInputProps('email')}
        />
        <PasswordInput
          label={t('fields.password')}
          name="password"
          autoComplete="current-password"
          visibilityToggleButtonProps={{ 'aria-label': t('fields.showPassword') }}
          {...form.fields.getInputProps('password')}
        />
        <div>
          <TextLink to="/forgotpassword">{t('login.forgot')}</TextLink>
        </div>
        {unverified && <ResendVerification email={unverified} />}
      </RecordForm>
    </GuestLayout>
  )
}
