import { type Group, type GroupUser, groups } from '@isotherm/contract/groups.ts'
import { users } from '@isotherm/contract/users.ts'
import { Button } from '@mantine/core'
import { IconUserMinus } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { useCan } from '../../../lib/can.ts'
import { noValue } from '../../../lib/numbers.ts'
import { useCall } from '../../../lib/query.ts'
import { toastSuccess } from '../../../lib/toast.ts'
import { AddButton } from '../../../ui/add-button.tsx'
import { Age } from '../../../ui/age.tsx'
import { confirm } from '../../../ui/confirm.ts'
import type { Column } from '../../../ui/list/column.ts'
import { ListView } from '../../../ui/list/list-view.tsx'
import { useListParams } from '../../../ui/list/use-list-params.ts'
import { useSelection } from '../../../ui/list/use-selection.ts'
import { AddMembersDialog } from '../parts/add-members-dialog.tsx'
import { GroupFrame } from '../parts/group-frame.tsx'
import { refetchGroups } from '../refetch-groups.ts'

/** The members of the group. */
export function GroupUsersPage() {
  const { t } = useTranslation('groups')
  const [mayAdd, mayRemove] = [useCan(groups.addUser), useCan(groups.removeUsers)]
  const seesUsers = useCan('users.view')
  const [adding, setAdding] = useState(false)
  const add = mayAdd && seesUsers && <AddButton onClick={() => setAdding(true)}>{t('users.add')}</AddButton>
  return (
    <GroupFrame actions={() => add}>
      {(group) => (
        <>
          <Members key={group.id} group={group} mayRemove={mayRemove} add={add} />
          {adding && <AddUsers group={group} onClose={() => setAdding(false)} />}
        </>
      )}
    </GroupFrame>
  )
}

function Members({ group, mayRemove, add }: { group: Group; mayRemove: boolean; add: React.ReactNode }) {
  const { t } = useTranslation('groups')
  const params = useListParams()
  const selection = useSelection()
  const { page, perPage, search } = params
  const query = { page, perPage, search: search || undefined }
  const answer = useCall(groups.users, { params: { id: group.id }, query }, { keepPrevious: true })
  const remove = (ids: string[], only?: string) =>
    confirm({
      title: only
        ? t('removeTitle', { what: only, name: group.name })
        : t('users.removeTitle', { count: ids.length, name: group.name }),
      text: t('users.removeText'),
      action: t('users.remove'),
      run: async () => {
        await call(groups.removeUsers, { params: { id: group.id }, body: ids })
        toastSuccess(t('users.removed', { count: ids.length }))
        selection.clear()
        await refetchGroups()
      },
    })
  const columns: Column<GroupUser>[] = [
    { key: 'fullname', title: t('fields.member'), render: (user) => <b>{user.fullname}</b> },
    { key: 'email', title: t('fields.email'), render: (user) => user.email ?? noValue },
    { key: 'role', title: t('fields.role'), render: (user) => t(`users:roles.${user.role}`) },
    { key: 'addedAt', title: t('fields.created'), hideBelow: 820, render: (user) => <Age at={user.addedAt} /> },
  ]
  return (
    <ListView
      label={t('fields.users')}
      answer={answer}
      params={params}
      searchLabel={t('users.search')}
      columns={columns}
      rowId={(user) => user.id}
      rowName={(user) => user.fullname}
      {...(mayRemove && {
        selection,
        bulkActions: (
          <Button size="compact-sm" variant="default" onClick={() => remove([...selection.ids])}>
            {t('users.remove')}
          </Button>
        ),
        actions: (user: GroupUser) => [
          {
            label: t('users.remove'),
            icon: <IconUserMinus size={16} />,
            onClick: () => remove([user.id], user.fullname),
          },
        ],
      })}
      empty={{ title: t('users.empty'), text: t('users.emptyText'), action: add }}
    />
  )
}

function AddUsers({ group, onClose }: { group: Group; onClose: () => void }) {
  const { t } = useTranslation('groups')
  const add = async (ids: string[]) => {
    try {
      for (const userId of ids) await call(groups.addUser, { params: { id: group.id, userId } })
      toastSuccess(t('users.added', { count: ids.length }))
    } finally {
      await refetchGroups()
    }
  }
  return (
    <AddMembersDialog
      title={t('users.add')}
      label={t('fields.users')}
      placeholder={t('users.find')}
      nothingFound={t('users.none')}
      groupId={group.id}
      useFound={useFoundPeople}
      add={add}
      onClose={onClose}
    />
  )
}

function useFoundPeople(search: string) {
  const query = { search: search || undefined, perPage: 50 }
  const { data, isPending, isPlaceholderData } = useCall(users.list, { query }, { keepPrevious: true })
  const found = (data?.data ?? []).map(({ id, fullname, email }) => ({ id, label: fullname, note: email }))
  return { found, total: data?.meta.total ?? 0, isStale: isPending || isPlaceholderData }
}
