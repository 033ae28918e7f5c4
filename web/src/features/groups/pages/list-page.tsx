import { type Group, GroupQuery, groups } from '@isotherm/contract/groups.ts'
import { IconSettings, IconTrash } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { useCan } from '../../../lib/can.ts'
import { formatNumber } from '../../../lib/numbers.ts'
import { useCall } from '../../../lib/query.ts'
import { AddButton } from '../../../ui/add-button.tsx'
import { Age } from '../../../ui/age.tsx'
import type { Column, RowAction } from '../../../ui/list/column.ts'
import { ExportButton } from '../../../ui/list/export-button.tsx'
import { ListView } from '../../../ui/list/list-view.tsx'
import { useListParams } from '../../../ui/list/use-list-params.ts'
import { Page } from '../../../ui/page.tsx'
import { StateDot } from '../../../ui/state-dot.tsx'
import { useBegin } from '../../../ui/use-begin.ts'
import { GroupDialog } from '../parts/group-dialog.tsx'
import { GroupName } from '../parts/group-name.tsx'
import { useRemoveGroup } from '../parts/use-remove-group.tsx'

export function GroupListPage() {
  const { t } = useTranslation('groups')
  const navigate = useNavigate()
  const mayEdit = useCan('groups.addOrEdit')
  const mayExport = useCan('groups.export')
  const params = useListParams({ sort: GroupQuery.shape.sort })
  const [adding, setAdding] = useState(false)
  const answer = useCall(groups.list, { query: params.asked }, { keepPrevious: true, refetchMs: 60_000 })
  useBegin(mayEdit && (() => setAdding(true)))
  const remove = useRemoveGroup()
  const open = (to: `/groups/$groupId/${'overview' | 'devices' | 'settings'}`, group: Group) =>
    void navigate({ to, params: { groupId: group.id } })
  const columns: Column<Group>[] = [
    { key: 'name', title: t('fields.name'), sort: 'name', render: (group) => <GroupName group={group} /> },
    {
      key: 'outOfRange',
      align: 'right',
      title: t('fields.outOfRange'),
      render: ({ outOfRange }) =>
        outOfRange > 0 ? <StateDot tone="warm" label={formatNumber(outOfRange)} /> : formatNumber(0),
    },
    {
      key: 'devices',
      align: 'right',
      title: t('fields.devices'),
      sort: 'devices',
      render: ({ deviceCount }) => formatNumber(deviceCount),
    },
    { key: 'users', title: t('fields.users'), align: 'right', render: ({ userCount }) => formatNumber(userCount) },
    {
      key: 'createdAt',
      title: t('fields.created'),
      sort: 'createdAt',
      hideBelow: 820,
      render: ({ createdAt }) => <Age at={createdAt} />,
    },
  ]
  const actionsOf = (group: Group): RowAction[] => [
    {
      label: t('tabs.settings'),
      icon: <IconSettings size={16} />,
      onClick: () => open('/groups/$groupId/settings', group),
    },
    {
      label: t('common:actions.delete'),
      icon: <IconTrash size={16} />,
      onClick: () => remove(group),
      destructive: true,
    },
  ]
  const add = mayEdit && <AddButton onClick={() => setAdding(true)}>{t('add')}</AddButton>
  const { search, sort } = params.asked
  const actions = (
    <>
      {mayExport && (
        <ExportButton
          fileName="groups.csv"
          disabled={answer.data?.meta.total === 0}
          load={() => call(groups.exportCsv, { query: { search, sort } }, { toastAll: true })}
        />
      )}
      {add}
    </>
  )
  return (
    <Page title={t('title')} actions={actions}>
      <ListView
        label={t('title')}
        answer={answer}
        params={params}
        searchLabel={t('search')}
        columns={columns}
        rowId={(group) => group.id}
        rowName={(group) => group.name}
        onOpen={(group) => open('/groups/$groupId/overview', group)}
        actions={mayEdit ? actionsOf : undefined}
        empty={{ title: t('empty.title'), text: t(mayEdit ? 'empty.text' : 'empty.textView'), action: add }}
      />
      {adding && (
        <GroupDialog onClose={() => setAdding(false)} onMade={(group) => open('/groups/$groupId/devices', group)} />
      )}
    </Page>
  )
}
