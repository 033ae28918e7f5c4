import { devices } from '@isotherm/contract/devices.ts'
import { type Group, groupLimits, groups } from '@isotherm/contract/groups.ts'
import { limits } from '@isotherm/contract/limits.ts'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { AddMembersDialog } from '../../features/groups/parts/add-members-dialog.tsx'
import { DevicesList } from '../../features/groups/parts/devices-list.tsx'
import { GroupFrame } from '../../features/groups/parts/group-frame.tsx'
import { refetchGroups } from '../../features/groups/refetch-groups.ts'
import { call } from '../../lib/call.ts'
import { useCan } from '../../lib/can.ts'
import { limitsText } from '../../lib/limits-text.ts'
import { useCall } from '../../lib/query.ts'
import { toastSuccess } from '../../lib/toast.ts'
import { AddButton } from '../../ui/add-button.tsx'
import { ExportButton } from '../../ui/list/export-button.tsx'
import { useListParams } from '../../ui/list/use-list-params.ts'
import { MemberCard } from './member-card.tsx'
import { useMemberColumns } from './use-member-columns.tsx'

/** The devices of the group: added, taken out, searched. */
export function GroupDevicesPage() {
  const { t } = useTranslation('groups')
  const navigate = useNavigate()
  const mayEdit = useCan('groups.addOrEdit')
  const mayExport = useCan('groups.export')
  const seesDevices = useCan('devices.view')
  const search = useListParams().search || undefined
  const columns = useMemberColumns()
  const [adding, setAdding] = useState(false)
  const add = mayEdit && seesDevices && <AddButton onClick={() => setAdding(true)}>{t('devices.add')}</AddButton>
  const actions = (group: Group) => (
    <>
      {mayExport && (
        <ExportButton
          fileName="group-devices.csv"
          disabled={group.deviceCount === 0}
          load={() => call(groups.exportDevices, { params: { id: group.id }, query: { search } }, { toastAll: true })}
        />
      )}
      {add}
    </>
  )
  return (
    <GroupFrame actions={actions}>
      {(group) => (
        <>
          <DevicesList
            key={group.id}
            group={group}
            columns={columns}
            card={(device) => <MemberCard device={device} />}
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
  const own = group.limits
  const add = async (deviceIds: string[], applyLimits: boolean) => {
    try {
      const { added } = await call(groups.addDevices, { params: { id: group.id }, body: { deviceIds, applyLimits } })
      toastSuccess(t('devices.added', { count: added }))
    } finally {
      await refetchGroups()
    }
  }
  const range = own && limitsText(own.temperatureMinC, own.temperatureMaxC, '°C')
  return (
    <AddMembersDialog
      title={t('devices.add')}
      label={t('fields.devices')}
      placeholder={t('devices.find')}
      nothingFound={t('devices.none')}
      nothingLeft={t('devices.noneLeft')}
      groupId={group.id}
      useFound={useFoundDevices}
      addAll={async (search, applyLimits) => add(await allFound(group.id, search), applyLimits)}
      {...(own && mayLimit && { option: t('devices.limits', { limits: range }) })}
      add={add}
      onClose={onClose}
    />
  )
}

/** Those that are not in the group yet. */
const findable = (groupId: string, search: string) => ({ search: search || undefined, notInGroup: groupId })

function useFoundDevices(search: string, groupId: string) {
  const query = { ...findable(groupId, search), perPage: 50 }
  const { data, isPending, isPlaceholderData } = useCall(devices.list, { query }, { keepPrevious: true })
  const found = (data?.data ?? []).map(({ id, name, tag, imei }) => ({
    ...{ id, label: name },
    note: [tag, imei].filter((part) => part !== null).join(' · '),
  }))
  return { found, total: data?.meta.total ?? 0, isStale: isPending || isPlaceholderData }
}

async function allFound(groupId: string, search: string): Promise<string[]> {
  const found: string[] = []
  for (let page = 1; ; page++) {
    const query = { ...findable(groupId, search), page, perPage: limits.maxPerPage }
    const answer = await call(devices.list, { query })
    found.push(...answer.data.map(({ id }) => id))
    if (page >= answer.meta.pageCount || found.length >= groupLimits.devices) return found.slice(0, groupLimits.devices)
  }
}
