import { Button, Loader } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { CallError } from '../../../lib/call-error.ts'
import { Failure } from '../../../ui/failure.tsx'
import { TextLink } from '../../../ui/text-link.tsx'
import { GuestLayout } from './guest-layout.tsx'

interface CheckedLinkProps<T> {
  /** The call that tells, without using the link up, whether it is good. */
  check: UseQueryResult<T, CallError>
  title: string
  /** What to do about a link that has expired or was used. */
  stale: ReactNode
  children: (answer: T) => ReactNode
}

/** A page behind a mailed link: a form while the link is good, else what to do instead. */
export function CheckedLink<T>({ check, title, stale, children }: CheckedLinkProps<T>) {
  const { t } = useTranslation('auth')
  if (check.data !== undefined) return children(check.data)
  if (!check.error)
    return (
      <GuestLayout title={title}>
        <Loader size="sm" color="gray" role="status" aria-label={t('link.checking')} />
      </GuestLayout>
    )
  if (check.error.code === 'LINK_INVALID' || check.error.status === 404 || check.error.status === 422)
    return (
      <GuestLayout
        title={t('link.staleTitle')}
        lead={t('link.staleText')}
        footer={<TextLink to="/login">{t('actions.toLogin')}</TextLink>}
      >
        {stale}
      </GuestLayout>
    )
  return (
    <GuestLayout title={title}>
      <Failure error={check.error} onRetry={() => void check.refetch()} />
    </GuestLayout>
  )
}

/** What a finished page offers. */
export const ToLogin = () => {
  const { t } = useTranslation('auth')
  return (
    <Button component="a" href="/login">
      {t('actions.toLogin')}
    </Button>
  )
}
