import { security } from '@isotherm/contract/security.ts'
import { sso } from '@isotherm/contract/sso.ts'
import { type User, users } from '@isotherm/contract/users.ts'
import { IconLogout, IconMailForward, IconPencil, IconShieldOff, IconTrash, IconUnlink } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { isCallError } from '../../../lib/call-error.ts'
import { useCan } from '../../../lib/can.ts'
import { refetchCalls, useCall } from '../../../lib/query.ts'
import { useSession } from '../../../lib/session.ts'
import { toastError, toastSuccess } from '../../../lib/toast.ts'
import { Silenced } from '../../../shared/silenced.tsx'
import { SilencedDispatch } from '../../../shared/silenced-dispatch.tsx'
import { confirm } from '../../../ui/confirm.ts'
import type { RowAction } from '../../../ui/list/column.ts'
import { KeysOfAdmin } from './keys-of-admin.tsx'

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
      warning: (
        <>
          <Silenced of={{ without: 'user', id: user.id }} />
          <SilencedDispatch of={{ without: 'user', id: user.id }} />
          <KeysOfAdmin admin={user} become="stopped" />
        </>
      ),
      run: async () => {
        await call(users.remove, { params: { id: user.id } })
        toastSuccess(t('deleted'))
        await refetchCalls(users.list)
      },
    })

  const isAdmin = useCan('admin')
  const withFactor = useCall(security.peopleWithFactor).data?.userIds
  const endSessions = (user: User) =>
    confirm({
      title: t('endSessions.title', { name: user.fullname }),
      text: t('endSessions.text'),
      action: t('endSessions.action'),
      destructive: true,
      run: async () => {
        await call(security.endSessionsOf, { params: { id: user.id } })
        toastSuccess(t('endSessions.done'))
      },
    })
  const resetFactor = (user: User) =>
    confirm({
      title: t('resetFactor.title', { name: user.fullname }),
      text: t('resetFactor.text', { name: user.fullname }),
      action: t('resetFactor.action'),
      destructive: true,
      run: async () => {
        await call(security.resetSecondFactor, { params: { id: user.id } })
        toastSuccess(t('resetFactor.done'))
        await refetchCalls(security.peopleWithFactor)
      },
    })
  const linked = useCall(sso.read, undefined, { enabled: isAdmin }).data?.linkedIds
  const unlink = (user: User) =>
    confirm({
      title: t('unlink.title', { name: user.fullname }),
      text: t('unlink.text'),
      action: t('unlink.action'),
      destructive: true,
      run: async () => {
        await call(sso.unlink, { params: { id: user.id } })
        toastSuccess(t('unlink.done'))
        await refetchCalls(sso.read)
      },
    })
  /** For Admins, about the login of somebody else. */
  const loginActions = (user: User): RowAction[] =>
    !isAdmin || user.id === own || user.status !== 'active'
      ? []
      : [
          { label: t('endSessions.action'), icon: <IconLogout size={16} />, onClick: () => endSessions(user) },
          ...(withFactor?.includes(user.id)
            ? [{ label: t('resetFactor.action'), icon: <IconShieldOff size={16} />, onClick: () => resetFactor(user) }]
            : []),
          ...(linked?.includes(user.id)
            ? [{ label: t('unlink.action'), icon: <IconUnlink size={16} />, onClick: () => unlink(user) }]
            : []),
        ]

  return (user) => [
    { label: t('common:actions.edit'), icon: <IconPencil size={16} />, onClick: () => onEdit(user) },
    ...(user.status === 'invited'
      ? [{ label: t('inviteAgain'), icon: <IconMailForward size={16} />, onClick: () => void inviteAgain(user) }]
      : []),
    ...loginActions(user),
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
