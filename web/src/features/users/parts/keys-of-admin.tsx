import { developer } from '@isotherm/contract/developer.ts'
import type { User } from '@isotherm/contract/users.ts'
import { Alert } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useCan } from '../../../lib/can.ts'
import { useCall } from '../../../lib/query.ts'

/** Says how many API keys depend on an Admin who is about to be removed, or to have another role, and what becomes of them. */
export function KeysOfAdmin({ admin, become }: { admin: User; become: 'stopped' | 'narrowed' }) {
  const { t } = useTranslation('users')
  const seesKeys = useCan('admin') && admin.role === 'admin'
  const keys = useCall(developer.settings, undefined, { enabled: seesKeys }).data?.keys ?? []
  const theirs = keys.filter((key) => key.state === 'active' && key.admin.id === admin.id)
  if (theirs.length === 0) return null
  const names = theirs.map(({ name }) => name).join(', ')
  return (
    <Alert color="orange" role="alert">
      {t(`keys.${become}`, { count: theirs.length, name: admin.fullname, names })}
    </Alert>
  )
}
