import { type Group, groups } from '@isotherm/contract/groups.ts'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { toastSuccess } from '../../../lib/toast.ts'
import { Silenced } from '../../../shared/silenced.tsx'
import { confirm } from '../../../ui/confirm.ts'
import { refetchGroups } from '../refetch-groups.ts'

/** Asks, deletes, says so. `after` is over before anything is fetched again, so that no screen looks for what is gone. */
export function useRemoveGroup(): (group: Group, after?: () => Promise<void>) => void {
  const { t } = useTranslation('groups')
  return (group, after) =>
    confirm({
      title: t('delete.title', { name: group.name }),
      text: t('delete.text'),
      action: t('common:actions.delete'),
      destructive: true,
      warning: <Silenced of={{ without: 'group', id: group.id }} />,
      run: async () => {
        await call(groups.remove, { params: { id: group.id } })
        toastSuccess(t('deleted'))
        await after?.()
        await refetchGroups()
      },
    })
}
