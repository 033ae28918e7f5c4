import { auth, NewPassword } from '@isotherm/contract/auth.ts'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { queryClient, useCall } from '../../../lib/query.ts'
import { QueryProvider } from '../../../lib/query-provider.tsx'
import { EntityForm } from '../../../ui/form/entity-form.tsx'
import { useEntityForm } from '../../../ui/form/use-entity-form.ts'
import { ButtonLink } from '../../../ui/links.tsx'
import { CheckedLink, ToLogin } from '../parts/checked-link.tsx'
import { GuestLayout } from '../parts/guest-layout.tsx'
import { NewPasswordField } from '../parts/new-password-field.tsx'
import { useLinkToken } from '../use-link-token.ts'

export const ResetPage = () => (
  <QueryProvider>
    <Reset />
  </QueryProvider>
)

function Reset() {
  const { t } = useTranslation('auth')
  const { token, forget } = useLinkToken()
  const [done, setDone] = useState(false)
  if (done && !token)
    return (
      <GuestLayout title={t('reset.done')} lead={t('reset.doneText')}>
        <ToLogin />
      </GuestLayout>
    )
  const onDone = () => {
    setDone(true)
    forget()
    queryClient.removeQueries({ queryKey: [auth.checkResetLink.path] })
  }
  return <ResetByLink key={token} token={token} onDone={onDone} />
}

function ResetByLink({ token, onDone }: { token: string; onDone: () => void }) {
  const { t } = useTranslation('auth')
  const check = useCall(
    auth.checkResetLink,
    { body: { token } },
    { enabled: token !== '', staleTimeMs: Number.POSITIVE_INFINITY, isQuiet: true },
  )
  return (
    <CheckedLink
      token={token}
      check={check}
      title={t('reset.title')}
      stale={<ButtonLink to="/forgotpassword">{t('reset.again')}</ButtonLink>}
    >
      {({ email }) => <ResetForm token={token} email={email} onDone={onDone} />}
    </CheckedLink>
  )
}

function ResetForm({ token, email, onDone }: { token: string; email: string; onDone: () => void }) {
  const { t } = useTranslation('auth')
  const form = useEntityForm({
    initialValues: { password: '' },
    schema: NewPassword,
    toBody: (values) => values,
    save: ({ password }) => call(auth.resetByLink, { body: { token, password } }),
    onSaved: onDone,
  })
  return (
    <GuestLayout title={t('reset.title')} lead={t('reset.lead', { email })}>
      <EntityForm form={form} submitLabel={t('reset.submit')} guarded={false}>
        <input type="hidden" autoComplete="username" value={email} readOnly />
        <NewPasswordField autoFocus {...form.fields.getInputProps('password')} />
      </EntityForm>
    </GuestLayout>
  )
}
