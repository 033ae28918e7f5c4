import type { User } from '@isotherm/contract/users.ts'
import { useTranslation } from 'react-i18next'
import { Age } from '../../../ui/age.tsx'
import type { Column } from '../../../ui/list/column.ts'
import { UserState } from './user-state.tsx'

export function useUserColumns(): Column<User>[] {
  const { t } = useTranslation('users')
  return [
    { key: 'fullname', title: t('fields.fullname'), sort: 'fullname', render: (user) => <b>{user.fullname}</b> },
    { key: 'email', title: t('fields.email'), sort: 'email', render: (user) => user.email },
    { key: 'role', title: t('fields.role'), sort: 'role', render: (user) => t(`roles.${user.role}`) },
    {
      key: 'status',
      title: t('fields.status'),
      render: (user) => <UserState user={user} />,
    },
    {
      key: 'lastLoginAt',
      title: t('fields.lastLogin'),
      sort: 'lastLoginAt',
      hideBelow: 820,
      render: (user) => <Age at={user.lastLoginAt} reason={t('neverLoggedIn')} />,
    },
  ]
}
