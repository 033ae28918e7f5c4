import { ByEmail } from '@isotherm/contract/auth.ts'
import { sso } from '@isotherm/contract/sso.ts'
import { Alert, TextInput } from '@mantine/core'
import { useNavigate, useRouterState } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { useSession } from '../../../lib/session.ts'
import { leaveFor } from '../../../shared/sso/trip.ts'
import { EntityForm } from '../../../ui/form/entity-form.tsx'
import { useEntityForm } from '../../../ui/form/use-entity-form.ts'
import { TextLink } from '../../../ui/text-link.tsx'
import { GuestLayout } from './guest-layout.tsx'

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The mail address that was typed at the login form. */
    email?: string
  }
}

/** Asks for the mail address, whose domain says which provider to go to. */
export function SsoMailForm() {
  const { t } = useTranslation('auth')
  const navigate = useNavigate()
  const isLoggedIn = useSession(({ token }) => token !== null)
  const { email = '', wanted = '/' } = useRouterState({ select: ({ location }) => location.state })
  const [isUnknown, setIsUnknown] = useState(false)
  useEffect(() => {
    if (isLoggedIn) void navigate({ to: '/', replace: true })
  }, [isLoggedIn, navigate])
  const form = useEntityForm({
    initialValues: { email },
    schema: ByEmail,
    toBody: (values) => values,
    save: async (body) => {
      setIsUnknown(false)
      return call(sso.start, { body })
    },
    onSaved: (started) => {
      if (!leaveFor(started, { use: 'login', to: wanted })) setIsUnknown(true)
    },
  })
  return (
    <GuestLayout
      title={t('sso.title')}
      lead={t('sso.lead')}
      footer={<TextLink to="/login">{t('sso.byPassword')}</TextLink>}
    >
      <EntityForm form={form} submitLabel={t('sso.submit')} guarded={false}>
        <TextInput
          label={t('fields.email')}
          type="email"
          name="email"
          autoComplete="username"
          autoFocus
          {...form.fields.getInputProps('email')}
        />
        {isUnknown && (
          <Alert color="yellow" variant="light" role="alert">
            {t('sso.unknown')}
          </Alert>
        )}
      </EntityForm>
    </GuestLayout>
  )
}
