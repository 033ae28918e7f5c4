import type { SecondStep as Step } from '@isotherm/contract/second-factor.ts'
import { Group, PasswordInput, TextInput } from '@mantine/core'
import { useNavigate, useRouterState } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isCallError } from '../../../lib/call-error.ts'
import { takeFirstForm } from '../../../lib/first-form.ts'
import { i18n } from '../../../lib/i18n.ts'
import { EntityForm } from '../../../ui/form/entity-form.tsx'
import { useEntityForm } from '../../../ui/form/use-entity-form.ts'
import { TextLink } from '../../../ui/text-link.tsx'
import { GuestLayout } from '../parts/guest-layout.tsx'

const loadLogIn = () => import('../log-in.ts')
/** Loads all that a login needs once somebody, or the browser, has begun to type: what checks it, and the texts of its faults. */
const loadBoth = () => Promise.all([loadLogIn(), i18n.loadNamespaces('errors')])
const ResendVerification = lazy(async () => ({
  default: (await import('../parts/resend-verification.tsx')).ResendVerification,
}))
const LogInWays = lazy(async () => ({ default: (await import('../parts/log-in-ways.tsx')).LogInWays }))
const SecondStep = lazy(async () => ({ default: (await import('../parts/second-step.tsx')).SecondStep }))

export function LoginPage() {
  const { t } = useTranslation('auth')
  const navigate = useNavigate()
  const wanted = useRouterState({ select: ({ location }) => (location.state as { wanted?: string }).wanted })
  const [unverified, setUnverified] = useState<string | null>(null)
  const [step, setStep] = useState<Step['secondFactor'] | null>(null)
  const go = (to: '/companyprofile' | '/' | '/enrol') => {
    if (to === '/' && wanted) void navigate({ href: wanted, replace: true })
    else void navigate({ to, replace: true })
  }
  const [first] = useState(takeFirstForm)
  const form = useEntityForm({
    initialValues: { email: first?.email ?? '', password: first?.password ?? '' },
    required: ['email', 'password'],
    schema: async () => (await loadLogIn()).LoginSchema,
    toBody: (values) => values,
    save: async (body) => {
      setUnverified(null)
      const { enter, logIn } = await loadLogIn()
      try {
        const answer = await logIn(body)
        if (!('secondFactor' in answer)) return await enter(answer)
        setStep(answer.secondFactor)
        return null
      } catch (error) {
        if (isCallError(error) && error.code === 'EMAIL_NOT_VERIFIED') setUnverified(body.email)
        throw error
      }
    },
    onSaved: (to) => to && go(to),
  })
  const { email, password } = form.fields.getValues()
  const isTyped = email !== '' || password !== ''
  useEffect(() => {
    if (isTyped) void loadBoth().catch(() => undefined)
  }, [isTyped])
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the form takes the place of the first one.
  useEffect(() => {
    if (first?.isSent) form.submit()
  }, [])
  if (step)
    return (
      <GuestLayout title={t('second.title')}>
        <Suspense fallback={null}>
          <SecondStep step={step} onEntered={go} onLeave={() => setStep(null)} />
        </Suspense>
      </GuestLayout>
    )
  return (
    <GuestLayout
      title={t('login.title')}
      footer={
        <Suspense fallback={null}>
          <LogInWays onEntered={go} />
        </Suspense>
      }
    >
      <EntityForm form={form} submitLabel={t('login.submit')} guarded={false}>
        <TextInput
          label={t('fields.email')}
          type="email"
          name="email"
          autoComplete="username"
          autoFocus={first?.focused !== 'password'}
          {...form.fields.getInputProps('email')}
        />
        <PasswordInput
          label={t('fields.password')}
          name="password"
          autoComplete="current-password"
          autoFocus={first?.focused === 'password'}
          visibilityToggleButtonProps={{ 'aria-label': t('fields.showPassword') }}
          {...form.fields.getInputProps('password')}
        />
        <Group justify="space-between" gap="xs">
          <TextLink to="/forgotpassword">{t('login.forgot')}</TextLink>
          <TextLink to="/login/sso" state={{ email, wanted }}>
            {t('login.sso')}
          </TextLink>
        </Group>
        {unverified && (
          <Suspense fallback={null}>
            <ResendVerification email={unverified} />
          </Suspense>
        )}
      </EntityForm>
    </GuestLayout>
  )
}
