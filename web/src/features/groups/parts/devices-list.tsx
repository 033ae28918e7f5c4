import { type Group, type GroupDevice, groups } from '@isotherm/contract/groups.ts'
import { Button } from '@mantine/core'
import { IconFolderMinus } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { useCall } from '../../../lib/query.ts'
import { toastSuccess } from '../../../lib/toast.ts'
import { confirm } from '../../../ui/confirm.ts'
import type { Column } from '../../../ui/list/column.ts'
import { ListView } from '../../../ui/list/list-view.tsx'
import { useListParams } from '../../../ui/list/use-list-params.ts'
import { useSelection } from '../../../ui/list/use-selection.ts'
import { refetchGroups } from '../refetch-groups.ts'

interface DevicesListProps {
  group: Group
  columns: Column<GroupDevice>[]
  /** How one looks on a phone. */
  card: (device: GroupDevice) => ReactNode
  mayEdit: boolean
  add: ReactNode
  onOpen?: (device: GroupDevice) => void
}

/** The group's devices with search; whoever may, takes them out, one or several. */
export function DevicesList({ group, columns, card, mayEdit, add, onOpen }: DevicesListProps) {
  const { t } = useTranslation('groups')
  const params = useListParams()
  const selection = useSelection()
  const { page, perPage, search } = params
  const query = { page, perPage, search: search || undefined }
  const answer = useCall(groups.devices, { params: { id: group.id }, query }, { keepPrevious: true, refetchMs: 60_000 })
  const remove = (ids: string[], only?: string) =>
    confirm({
      title: only
        ? t('removeTitle', { what: only, name: group.name })
        : t('devices.removeTitle', { count: ids.length, name: group.name }),
      text: t('devices.removeText'),
      action: t('devices.remove'),
      run: async () => {
        await call(groups.removeDevices, { params: { id: group.id }, body: ids })
        toastSuccess(t('devices.removed', { count: ids.length }))
        selection.clear()
        await refetchGroups()
      },
    })
  return (
    <ListView
      label={t('fields.devices')}
      answer={answer}
      params={params}
      searchLabel={t('devices.search')}
      columns={columns}
      card={card}
      rowId={(device) => device.id}
      rowName={(device) => device.name}
      {...(onOpen && { onOpen })}
      {...(mayEdit && {
        selection,
        bulkActions: (
          <Button size="compact-sm" variant="default" onClick={() => remove([...selection.ids])}>
            {t('devices.remove')}
          </Button>
        ),
        actions: (device: GroupDevice) => [
          {
            label: t('devices.remove'),
            icon: <IconFolderMinus size={16} />,
            onClick: () => remove([device.id], device.name),
          },
        ],
      })}
      empty={{ title: t('devices.empty'), ...(mayEdit && { text: t('devices.emptyText') }), action: add }}
    />
  )
}
