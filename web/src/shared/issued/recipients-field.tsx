import { users } from '@isotherm/contract/users.ts'
import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useCan } from '../../lib/can.ts'
import { useCall } from '../../lib/query.ts'
import { useSession } from '../../lib/session.ts'
import { ChooseMany, type Chosen } from '../../ui/form/choose-many.tsx'

interface RecipientsFieldProps {
  chosen: Chosen[]
  onChange: (chosen: Chosen[]) => void
  error: ReactNode
  label?: string
  description?: string
}

/** The people of the team who get a report by mail; who may not see the team mails it to themselves. */
export function RecipientsField({ chosen, onChange, error, label, description }: RecipientsFieldProps) {
  const { t } = useTranslation('issued')
  const seesTeam = useCan('users.view')
  const own = useSession(({ profile }) => profile)
  if (!seesTeam) return <Text size="sm">{t('toYou', { email: own?.email ?? '' })}</Text>
  return (
    <ChooseMany
      label={label ?? t('recipients')}
      placeholder={t('choose')}
      path="recipients"
      description={description ?? t('recipientsHelp')}
      error={error}
      chosen={chosen}
      onChange={onChange}
      useFound={useTeam}
    />
  )
}

/** The person who asks, as a recipient. */
export function useSelfChosen(): Chosen[] {
  const own = useSession(({ profile }) => profile)
  return own ? [{ id: own.id, label: own.fullname }] : []
}

function useTeam(search: string): Chosen[] {
  const answer = useCall(users.list, { query: { search: search || undefined, perPage: 50 } }, { keepPrevious: true })
  return (answer.data?.data ?? []).map(({ id, fullname }) => ({ id, label: fullname }))
}
