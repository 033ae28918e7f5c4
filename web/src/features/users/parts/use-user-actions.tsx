import { type User, users } from '@isotherm/contract/users.ts'
import { IconMailForward, IconPencil, IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { isCallError } from '../../../lib/call-error.ts'
import { refetchCalls } from '../../../lib/query.ts'
import { useSession } from '../../../lib/session.ts'
import { toastError, toastSuccess } from '../../../lib/toast.ts'
import { Silenced } from '../../../shared/silenced.tsx'
import { confirm } from '../../../ui/confirm.ts'
import type { RowAction } from '../../../ui/list/column.ts'

/** The menu of a row for somebody who may edit users. */
export function useUserActions(onEdit: (user: User) => void): (user: User) => RowAction[] {
  const { t } = useTranslation('users')
  const own = useSession((state) => state.profile?.id)

  const inviteAgain = async (user: User) => {
    try {
      await call(users.inviteAgain, { params: { id: user.id } })
      toastSuccess(t('invitedAgain', { email: user.email }))
    } catch (error) {
      // 400 and 422 have toasted already; the rest would otherwise pass unnoticed.
      if (isCallError(error) && ![400, 401, 403, 422].includes(error.status)) toastError(error.message)
    }
  }
  const remove = (user: User) =>
    confirm({
      title: t('delete.title', { name: user.fullname }),
      text: t('delete.text', { name: user.fullname, email: user.email }),
      action: t('common:actions.delete'),
      destructive: true,
      warning: <Silenced of={{ without: 'user', id: user.id }} />,
      run: async () => {
        await call(users.remove, { params: { id: user.id } })
        toastSuccess(t('deleted'))
        await refetchCalls(users.list)
      },
    })

  return (user) => [
    { label: t('common:actions.edit'), icon: <IconPencil size={16} />, onClick: () => onEdit(user) },
    ...(user.status === 'invited'
      ? [{ label: t('inviteAgain'), icon: <IconMailForward size={16} />, onClick: () => void inviteAgain(user) }]
      : []),
    // Nobody removes themselves.
    ...(user.id === own
      ? []
      : [
          {
            label: t('common:actions.delete'),
            icon: <IconTrash size={16} />,
            onClick: () => remove(user),
            destructive: true,
          },
        ]),
  ]
}
