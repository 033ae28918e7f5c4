import { auth, ByEmail } from '@isotherm/contract/auth.ts'
import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { RecordForm } from '../../../ui/form/record-form.tsx'
import { useRecordForm } from '../../../ui/form/use-record-form.ts'
import { TextLink } from '../../../ui/text-link.tsx'
import { GuestLayout } from '../parts/guest-layout.tsx'

/** The answer is the same for a known and an unknown address. */
export function ForgotPasswordPage() {
  const { t } = useTranslation('auth')
  const [sentTo, setSentTo] = useState<string | null>(null)
  const form = useRecordForm({
    initialValues: { email: '' },
    schema: ByEmail,
    toBody: (values) => values,
    save: (body) => call(auth.forgotPassword, { body }),
    onSaved: (_, { email }) => setSentTo(email),
  })
  const footer = <TextLink to="/login">{t('actions.toLogin')}</TextLink>
  if (sentTo)
    return (
      <GuestLayout title={t('checkMail.title')} lead={t('checkMail.reset', { email: sentTo })} footer={footer}>
        {null}
      </GuestLayout>
    )
  return (
    <GuestLayout title={t('forgot.title')} lead={t('forgot.lead')} footer={footer}>
      <RecordForm form={form} submitLabel={t('forgot.submit')} guarded={false}>
        <TextInput
          label={t('fields.email')}
          type="email"
          autoComplete="username"
          autoFocus
          {...form.fields.getInputProps('email')}
        />
      </RecordForm>
    </GuestLayout>
  )
}
