import { devices } from '@isotherm/contract/devices.ts'
import { type Group, groups } from '@isotherm/contract/groups.ts'
import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { limitsText } from '../../features/devices/parts/limits-text.ts'
import { AddMembersDialog } from '../../features/groups/parts/add-members-dialog.tsx'
import { DevicesList } from '../../features/groups/parts/devices-list.tsx'
import { GroupFrame } from '../../features/groups/parts/group-frame.tsx'
import { refetchGroups } from '../../features/groups/use-group.ts'
import { call } from '../../lib/call.ts'
import { useCan } from '../../lib/can.ts'
import { useCall } from '../../lib/query.ts'
import { toastSuccess } from '../../lib/toast.ts'
import { useMemberColumns } from './use-member-columns.tsx'

/** What is in the group: added, taken out, searched. */
export function GroupDevicesPage() {
  const { t } = useTranslation('groups')
  const navigate = useNavigate()
  const mayEdit = useCan('groups.addOrEdit')
  const seesDevices = useCan('devices.view')
  const columns = useMemberColumns()
  const [adding, setAdding] = useState(false)
  const add = mayEdit && seesDevices && (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setAdding(true)}>
      {t('devices.add')}
    </Button>
  )
  return (
    <GroupFrame actions={() => add}>
      {(group) => (
        <>
          <DevicesList
            key={group.id}
            group={group}
            columns={columns}
            mayEdit={mayEdit}
            add={add}
            {...(seesDevices && {
              onOpen: ({ id }) => void navigate({ to: '/devices/$deviceId/details', params: { deviceId: id } }),
            })}
          />
          {adding && <AddDevices group={group} onClose={() => setAdding(false)} />}
        </>
      )}
    </GroupFrame>
  )
}

function AddDevices({ group, onClose }: { group: Group; onClose: () => void }) {
  const { t } = useTranslation('groups')
  const mayLimit = useCan('devices.addOrEdit')
  const { limits } = group
  const add = async (ids: string[], applyLimits: boolean) => {
    try {
      for (const deviceId of ids)
        await call(groups.addDevice, { params: { id: group.id, deviceId }, body: { applyLimits } })
      toastSuccess(t('devices.added', { count: ids.length }))
    } finally {
      await refetchGroups()
    }
  }
  const range = limits && limitsText(limits.temperatureMinC, limits.temperatureMaxC, '°C')
  return (
    <AddMembersDialog
      title={t('devices.add')}
      label={t('fields.devices')}
      placeholder={t('devices.find')}
      nothingFound={t('devices.none')}
      useFound={useFoundDevices}
      {...(limits && mayLimit && { option: t('devices.limits', { limits: range }) })}
      add={add}
      onClose={onClose}
    />
  )
}

const useFoundDevices = (search: string) =>
  (
    useCall(devices.list, { query: { search: search || undefined, perPage: 50 } }, { keepPrevious: true }).data?.data ??
    []
  ).map(({ id, name, tag }) => ({ id, label: tag ? `${name} · ${tag}` : name }))
