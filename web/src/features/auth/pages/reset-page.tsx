import { auth, NewPassword } from '@isotherm/contract/auth.ts'
import { Button } from '@mantine/core'
import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { useCall } from '../../../lib/query.ts'
import { QueryProvider } from '../../../lib/query-provider.tsx'
import { RecordForm } from '../../../ui/form/record-form.tsx'
import { useRecordForm } from '../../../ui/form/use-record-form.ts'
import { CheckedLink, ToLogin } from '../parts/checked-link.tsx'
import { GuestLayout } from '../parts/guest-layout.tsx'
import { NewPasswordField } from '../parts/new-password-field.tsx'

export const ResetPage = () => (
  <QueryProvider>
    <Reset />
  </QueryProvider>
)

function Reset() {
  const { t } = useTranslation('auth')
  const { token } = useParams({ from: '/guest/reset/$token' })
  const [done, setDone] = useState(false)
  const check = useCall(
    auth.checkReset,
    { params: { token } },
    { enabled: !done, staleTimeMs: Number.POSITIVE_INFINITY },
  )
  if (done)
    return (
      <GuestLayout title={t('reset.done')} lead={t('reset.doneText')}>
        <ToLogin />
      </GuestLayout>
    )
  return (
    <CheckedLink
      check={check}
      title={t('reset.title')}
      stale={
        <Button component={Link} to="/forgotpassword">
          {t('reset.again')}
        </Button>
      }
    >
      {({ email }) => <ResetForm token={token} email={email} onDone={() => setDone(true)} />}
    </CheckedLink>
  )
}

function ResetForm({ token, email, onDone }: { token: string; email: string; onDone: () => void }) {
  const { t } = useTranslation('auth')
  const form = useRecordForm({
    initialValues: { password: '' },
    schema: NewPassword,
    toBody: (values) => values,
    save: (body) => call(auth.resetPassword, { params: { token }, body }),
    onSaved: onDone,
  })
  return (
    <GuestLayout title={t('reset.title')} lead={t('reset.lead', { email })}>
      <RecordForm form={form} submitLabel={t('reset.submit')} guarded={false}>
        <input type="hidden" autoComplete="username" value={email} readOnly />
        <NewPasswordField autoFocus {...form.fields.getInputProps('password')} />
      </RecordForm>
    </GuestLayout>
  )
}
