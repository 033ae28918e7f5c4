import { type Role, roles } from '@isotherm/contract/permissions.ts'
import { Invite, type User, UserChange, users } from '@isotherm/contract/users.ts'
import { NativeSelect, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { refetchCalls } from '../../../lib/query.ts'
import { differing } from '../../../lib/save-change.ts'
import { useSession } from '../../../lib/session.ts'
import { toastSuccess } from '../../../lib/toast.ts'
import { FormDialog } from '../../../ui/form/form-dialog.tsx'
import { useEntityForm } from '../../../ui/form/use-entity-form.ts'
import { KeysOfAdmin } from './keys-of-admin.tsx'

const rightsOf = ({ fullname, role }: User) => ({ fullname, role })

/** Adds a team member (`user` null), or changes one's name and role. */
export function UserDialog({ user, onClose }: { user: User | null; onClose: () => void }) {
  const { t } = useTranslation('users')
  const own = useSession((state) => state.profile?.id)
  const form = useEntityForm({
    initialValues: { fullname: user?.fullname ?? '', email: user?.email ?? '', role: user?.role ?? ('staff' as Role) },
    schema: user ? UserChange : Invite,
    toBody: ({ email, ...change }) => (user ? change : { ...change, email }),
    save: (_, { fullname, email, role }) =>
      user
        ? // Who gives another name must not give back a role that somebody else has just taken away.
          call(users.change, { params: { id: user.id }, body: differing(rightsOf(user), { fullname, role }) })
        : call(users.invite, { body: { fullname, email, role } }),
    onSaved: () => {
      toastSuccess(t(user ? 'edited' : 'added'))
      void refetchCalls(users.list)
      onClose()
    },
  })
  const { getInputProps, values } = form.fields
  return (
    <FormDialog
      title={user ? t('edit.title', { name: user.fullname }) : t('add')}
      form={form}
      submitLabel={user ? t('common:actions.save') : t('invite')}
      onClose={onClose}
    >
      <TextInput label={t('fields.fullname')} data-autofocus {...getInputProps('fullname')} />
      <TextInput
        label={t('fields.email')}
        type="email"
        readOnly={user !== null}
        variant={user ? 'filled' : 'default'}
        description={user ? undefined : t('inviteHelp')}
        {...getInputProps('email')}
      />
      <NativeSelect
        label={t('fields.role')}
        disabled={user?.id === own}
        description={user?.id === own ? t('ownRole') : undefined}
        data={roles.map((value) => ({ value, label: t(`roles.${value}`) }))}
        {...getInputProps('role')}
      />
      {user?.role === 'admin' && values.role !== 'admin' && <KeysOfAdmin admin={user} become="narrowed" />}
    </FormDialog>
  )
}
