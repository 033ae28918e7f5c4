import { auth, SetUp } from '@isotherm/contract/auth.ts'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { useCall } from '../../../lib/query.ts'
import { QueryProvider } from '../../../lib/query-provider.tsx'
import { logOut, useSession } from '../../../lib/session.ts'
import { RecordForm } from '../../../ui/form/record-form.tsx'
import { useRecordForm } from '../../../ui/form/use-record-form.ts'
import { CheckedLink, ToLogin } from '../parts/checked-link.tsx'
import { GuestLayout } from '../parts/guest-layout.tsx'
import { NewPasswordField } from '../parts/new-password-field.tsx'

/** An invited person creates a password. */
export const SetUpPage = () => (
  <QueryProvider>
    <SetUpByLink />
  </QueryProvider>
)

function SetUpByLink() {
  const { t } = useTranslation('auth')
  const { token } = useParams({ from: '/public/usersetup/$token' })
  const [done, setDone] = useState(false)
  const check = useCall(
    auth.checkSetup,
    { params: { token } },
    { enabled: !done, staleTimeMs: Number.POSITIVE_INFINITY },
  )
  if (done)
    return (
      <GuestLayout title={t('setUp.done')} lead={t('setUp.doneText')}>
        <ToLogin />
      </GuestLayout>
    )
  return (
    <CheckedLink check={check} title={t('setUp.title')} stale={<p>{t('setUp.askAgain')}</p>}>
      {(person) => <SetUpForm token={token} person={person} onDone={() => setDone(true)} />}
    </CheckedLink>
  )
}

function SetUpForm(props: { token: string; person: { fullname: string; email: string }; onDone: () => void }) {
  const { t } = useTranslation('auth')
  const { token, person } = props
  const somebodyElse = useSession((state) => state.token !== null && state.profile?.email !== person.email)
  const form = useRecordForm({
    initialValues: { password: '' },
    schema: SetUp,
    toBody: ({ password }) => ({ token, password }),
    save: (body) => call(auth.setup, { body }),
    onSaved: () => {
      props.onDone()
      // Whoever was logged in here is not the person invited.
      if (somebodyElse) logOut()
    },
  })
  return (
    <GuestLayout title={t('setUp.title')} lead={t('setUp.lead', { name: person.fullname, email: person.email })}>
      <RecordForm form={form} submitLabel={t('setUp.submit')} guarded={false}>
        <input type="hidden" autoComplete="username" value={person.email} readOnly />
        <NewPasswordField label={t('fields.password')} autoFocus {...form.fields.getInputProps('password')} />
      </RecordForm>
    </GuestLayout>
  )
}
