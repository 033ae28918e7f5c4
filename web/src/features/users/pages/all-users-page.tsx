import { roles } from '@isotherm/contract/permissions.ts'
import { type User, UserQuery, type UserSelection, users } from '@isotherm/contract/users.ts'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import { call } from '../../../lib/call.ts'
import { useCan } from '../../../lib/can.ts'
import { useCall } from '../../../lib/query.ts'
import { AddButton } from '../../../ui/add-button.tsx'
import { ExportButton } from '../../../ui/list/export-button.tsx'
import { ListView } from '../../../ui/list/list-view.tsx'
import { useListParams } from '../../../ui/list/use-list-params.ts'
import { useBegin } from '../../../ui/use-begin.ts'
import { useUserActions } from '../parts/use-user-actions.tsx'
import { useUserColumns } from '../parts/use-user-columns.tsx'
import { UserCard } from '../parts/user-card.tsx'
import { UserDialog } from '../parts/user-dialog.tsx'
import { UsersPage } from '../parts/users-page.tsx'

const filters = { role: roles }

export function AllUsersPage() {
  const { t } = useTranslation('users')
  const params = useListParams({ sort: UserQuery.shape.sort, filters })
  const mayEdit = useCan('users.addOrEdit')
  const [dialog, setDialog] = useState<User | 'new' | null>(null)
  const { page: _page, perPage: _perPage, ...chosen } = params.asked
  const answer = useCall(users.list, { query: params.asked }, { keepPrevious: true })
  useBegin(mayEdit && (() => setDialog('new')))
  const columns = useUserColumns()
  const actionsOf = useUserActions(setDialog)
  const addUser = mayEdit && <AddButton onClick={() => setDialog('new')}>{t('add')}</AddButton>
  return (
    <UsersPage
      actions={
        <>
          <UsersExport total={answer.data?.meta.total ?? 0} chosen={chosen} />
          {addUser}
        </>
      }
    >
      <ListView
        label={t('title')}
        answer={answer}
        params={params}
        searchLabel={t('search')}
        filters={[
          {
            name: 'role',
            label: t('fields.role'),
            allLabel: t('all'),
            options: roles.map((value) => ({ value, label: t(`roles.${value}`) })),
          },
        ]}
        columns={columns}
        card={(user) => <UserCard user={user} />}
        rowId={(user) => user.id}
        rowName={(user) => user.fullname}
        onOpen={mayEdit ? setDialog : undefined}
        actions={mayEdit ? actionsOf : undefined}
        empty={{ title: t('empty.title'), text: t('empty.text'), action: addUser }}
      />
      {dialog && (
        <UserDialog
          key={dialog === 'new' ? 'new' : dialog.id}
          user={dialog === 'new' ? null : dialog}
          onClose={() => setDialog(null)}
        />
      )}
    </UsersPage>
  )
}

/** users.csv of the people in the list, for those who may export; nothing when there is nobody. */
function UsersExport({ total, chosen }: { total: number; chosen: z.input<typeof UserSelection> }) {
  const mayExport = useCan('users.export')
  if (!mayExport) return null
  return (
    <ExportButton
      fileName="users.csv"
      disabled={total === 0}
      load={() => call(users.exportCsv, { query: chosen }, { toastAll: true })}
    />
  )
}
