import { auth, Register } from '@isotherm/contract/auth.ts'
import { NativeSelect, Stack, TextInput } from '@mantine/core'
import { useRouterState } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { countries, countryOf, timeZones } from '../../../lib/country-and-zone-choices.ts'
import { currentLocale } from '../../../lib/i18n.ts'
import { browserZone } from '../../../lib/session.ts'
import { EntityForm } from '../../../ui/form/entity-form.tsx'
import { useEntityForm } from '../../../ui/form/use-entity-form.ts'
import { TextLink } from '../../../ui/text-link.tsx'
import { GuestLayout } from '../parts/guest-layout.tsx'
import { NewPasswordField } from '../parts/new-password-field.tsx'
import { ResendVerification } from '../parts/resend-verification.tsx'
import { useRegistration } from '../parts/use-registration.ts'

export function SignUpPage() {
  const [sentTo, setSentTo] = useState<string | null>(null)
  const mode = useRegistration()?.mode ?? null
  const invitation = useRouterState({ select: ({ location }) => location.hash })
  if (sentTo) return <CheckYourMail email={sentTo} />
  // Where it cannot be asked, the form's own answer tells.
  if (mode === 'off' || (mode === 'invite' && !invitation)) return <NotHere mode={mode} />
  return <SignUpForm invitation={invitation} onSent={setSentTo} />
}

function NotHere({ mode }: { mode: 'off' | 'invite' }) {
  const { t } = useTranslation('auth')
  return (
    <GuestLayout
      title={t('signUp.title')}
      lead={t(mode === 'off' ? 'signUp.closed' : 'signUp.invite')}
      footer={<TextLink to="/login">{t('actions.toLogin')}</TextLink>}
    >
      {null}
    </GuestLayout>
  )
}

function SignUpForm({ invitation, onSent }: { invitation: string; onSent: (email: string) => void }) {
  const { t } = useTranslation('auth')
  const form = useEntityForm({
    initialValues: {
      companyName: '',
      fullname: '',
      email: '',
      password: '',
      country: countryOf(browserZone()),
      timezone: browserZone(),
    },
    schema: Register,
    toBody: ({ country, ...values }) => ({
      ...values,
      ...(country ? { country } : {}),
      ...(invitation ? { invitation } : {}),
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
      <EntityForm form={form} submitLabel={t('signUp.submit')} guarded={false}>
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
        <NativeSelect
          label={t('fields.timezone')}
          description={t('signUp.timezoneHelp')}
          data={timeZones(browserZone())}
          {...getInputProps('timezone')}
        />
        <TextInput label={t('fields.fullname')} autoComplete="name" {...getInputProps('fullname')} />
        <TextInput label={t('fields.email')} type="email" autoComplete="username" {...getInputProps('email')} />
        <NewPasswordField label={t('fields.password')} {...getInputProps('password')} />
      </EntityForm>
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
