import { auth } from '@isotherm/contract/auth.ts'
import type { Company } from '@isotherm/contract/company.ts'
import { Skeleton, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useCall } from '../../../lib/query.ts'
import { Failure } from '../../../ui/failure.tsx'

/** Waits for the company: skeleton, or failure with a retry. */
export function WithCompany({ children }: { children: (company: Company) => ReactNode }) {
  const { t } = useTranslation()
  const answer = useCall(auth.profile)
  if (answer.data) return children(answer.data.company)
  if (answer.error) return <Failure error={answer.error} onRetry={() => void answer.refetch()} />
  return (
    <Stack role="status" aria-label={t('list.loading')} maw={480}>
      <Skeleton height={58} />
      <Skeleton height={58} />
      <Skeleton height={58} />
    </Stack>
  )
}
