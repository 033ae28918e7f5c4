import { auth, Register } from '@isotherm/contract/auth.ts'
import { NativeSelect, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { currentLocale } from '../../../lib/i18n.ts'
import { countries } from '../../../lib/places.ts'
import { RecordForm } from '../../../ui/form/record-form.tsx'
import { useRecordForm } from '../../../ui/form/use-record-form.ts'
import { TextLink } from '../../../ui/text-link.tsx'
import { GuestLayout } from '../parts/guest-layout.tsx'
import { NewPasswordField } from '../parts/new-password-field.tsx'
import { ResendVerification } from '../parts/resend-verification.tsx'

const browserZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC'

export function SignUpPage() {
  const [sentTo, setSentTo] = useState<string | null>(null)
  return sentTo ? <CheckYourMail email={sentTo} /> : <SignUpForm onSent={setSentTo} />
}

function SignUpForm({ onSent }: { onSent: (email: string) => void }) {
  const { t } = useTranslation('auth')
  const form = useRecordForm({
    initialValues: { companyName: '', fullname: '', email: '', password: '', country: '' },
    schema: Register,
    toBody: ({ country, ...values }) => ({
      ...values,
      ...(country ? { country } : {}),
      timezone: browserZone(),
      locale: currentLocale(),
    }),
    save: (body) => call(auth.register, { body }),
    onSaved: ({ email }) => onSent(email),
  })
  const { getInputProps } = form.fields
  return (
    <GuestLayout
      title={t('signUp.title')}
      lead={t('signUp.lead')}
      footer={
        <>
          {t('signUp.haveAccount')} <TextLink to="/login">{t('login.submit')}</TextLink>
        </>
      }
    >
      <RecordForm form={form} submitLabel={t('signUp.submit')} guarded={false}>
        <TextInput
          label={t('fields.companyName')}
          autoComplete="organization"
          autoFocus
          {...getInputProps('companyName')}
        />
        <NativeSelect
          label={t('fields.country')}
          autoComplete="country"
          data={[{ value: '', label: t('fields.chooseCountry') }, ...countries()]}
          {...getInputProps('country')}
        />
        <TextInput label={t('fields.fullname')} autoComplete="name" {...getInputProps('fullname')} />
        <TextInput label={t('fields.email')} type="email" autoComplete="username" {...getInputProps('email')} />
        <NewPasswordField label={t('fields.password')} {...getInputProps('password')} />
      </RecordForm>
    </GuestLayout>
  )
}

function CheckYourMail({ email }: { email: string }) {
  const { t } = useTranslation('auth')
  return (
    <GuestLayout
      title={t('checkMail.title')}
      lead={t('checkMail.verify', { email })}
      footer={<TextLink to="/login">{t('actions.toLogin')}</TextLink>}
    >
      <Stack gap="xs">
        <ResendVerification email={email} />
      </Stack>
    </GuestLayout>
  )
}
