import { auth, SetUp as SetUpBody } from '@isotherm/contract/auth.ts'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { queryClient, useCall } from '../../../lib/query.ts'
import { QueryProvider } from '../../../lib/query-provider.tsx'
import { logOut, useSession } from '../../../lib/session.ts'
import { EntityForm } from '../../../ui/form/entity-form.tsx'
import { useEntityForm } from '../../../ui/form/use-entity-form.ts'
import { CheckedLink, ToLogin } from '../parts/checked-link.tsx'
import { GuestLayout } from '../parts/guest-layout.tsx'
import { NewPasswordField } from '../parts/new-password-field.tsx'
import { useLinkToken } from '../use-link-token.ts'

/** An invited person creates a password. */
export const SetUpPage = () => (
  <QueryProvider>
    <SetUp />
  </QueryProvider>
)

function SetUp() {
  const { t } = useTranslation('auth')
  const { token, forget } = useLinkToken()
  const [done, setDone] = useState(false)
  if (done && !token)
    return (
      <GuestLayout title={t('setUp.done')} lead={t('setUp.doneText')}>
        <ToLogin />
      </GuestLayout>
    )
  const onDone = () => {
    setDone(true)
    forget()
    queryClient.removeQueries({ queryKey: [auth.checkSetupLink.path] })
  }
  return <SetUpByLink key={token} token={token} onDone={onDone} />
}

function SetUpByLink({ token, onDone }: { token: string; onDone: () => void }) {
  const { t } = useTranslation('auth')
  const check = useCall(
    auth.checkSetupLink,
    { body: { token } },
    { enabled: token !== '', staleTimeMs: Number.POSITIVE_INFINITY, isQuiet: true },
  )
  return (
    <CheckedLink token={token} check={check} title={t('setUp.title')} stale={<p>{t('setUp.askAgain')}</p>}>
      {(person) => <SetUpForm token={token} person={person} onDone={onDone} />}
    </CheckedLink>
  )
}

function SetUpForm(props: { token: string; person: { fullname: string; email: string }; onDone: () => void }) {
  const { t } = useTranslation('auth')
  const { token, person } = props
  // A person who is logged in here is not the invited one, who has had no password.
  const somebodyElse = useSession((state) => state.token !== null)
  const form = useEntityForm({
    initialValues: { password: '' },
    schema: SetUpBody,
    toBody: ({ password }) => ({ token, password }),
    save: (body) => call(auth.setup, { body }),
    onSaved: () => {
      props.onDone()
      if (somebodyElse) logOut()
    },
  })
  return (
    <GuestLayout title={t('setUp.title')} lead={t('setUp.lead', { name: person.fullname, email: person.email })}>
      <EntityForm form={form} submitLabel={t('setUp.submit')} guarded={false}>
        <input type="hidden" autoComplete="username" value={person.email} readOnly />
        <NewPasswordField label={t('fields.password')} autoFocus {...form.fields.getInputProps('password')} />
      </EntityForm>
    </GuestLayout>
  )
}
