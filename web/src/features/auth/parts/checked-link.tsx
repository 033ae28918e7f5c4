import { Button, Loader } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { CallError } from '../../../lib/call-error.ts'
import { Failure } from '../../../ui/failure.tsx'
import { TextLink } from '../../../ui/text-link.tsx'
import { GuestLayout } from './guest-layout.tsx'

interface CheckedLinkProps<T> {
  /** Empty where the address has none. */
  token: string
  /** The call that tells, without using the link up, whether it is good. */
  check: UseQueryResult<T, CallError>
  title: string
  /** The advice for a link that has expired or was used. */
  stale: ReactNode
  children: (answer: T) => ReactNode
}

/** A page behind a mailed link: a form while the link is good, else what to do instead. */
export function CheckedLink<T>({ token, check, title, stale, children }: CheckedLinkProps<T>) {
  const { t } = useTranslation('auth')
  if (check.data !== undefined) return children(check.data)
  const { error } = check
  if (!token || error?.code === 'LINK_INVALID' || error?.status === 404 || error?.status === 422)
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
      {error ? (
        <Failure error={error} onRetry={() => void check.refetch()} />
      ) : (
        <Loader size="sm" color="gray" role="status" aria-label={t('link.checking')} />
      )}
    </GuestLayout>
  )
}

/** The actions of a finished page. */
export const ToLogin = () => {
  const { t } = useTranslation('auth')
  return (
    <Button component="a" href="/login">
      {t('actions.toLogin')}
    </Button>
  )
}
