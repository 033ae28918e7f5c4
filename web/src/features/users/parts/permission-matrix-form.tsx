import { type RoleMatrix, users } from '@isotherm/contract/users.ts'
import { Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { useCan } from '../../../lib/can.ts'
import { refetchCalls } from '../../../lib/query.ts'
import { toastSuccess } from '../../../lib/toast.ts'
import { Matrix } from '../../../shared/permissions/permission-matrix.tsx'
import { withAction } from '../../../shared/permissions/with-action.ts'
import { EntityForm } from '../../../ui/form/entity-form.tsx'
import { useEntityForm } from '../../../ui/form/use-entity-form.ts'
import { useFollowed } from '../../../ui/form/use-followed.ts'

/** One role's features against Add/Edit, View and Export. Admin's boxes cannot be changed, and its Save does nothing. */
export function PermissionMatrixForm({ saved }: { saved: RoleMatrix }) {
  const { t } = useTranslation('users')
  const mayEdit = useCan('users.addOrEdit')
  const { role } = saved
  const fixed = role === 'admin'
  // As the form shows it: pushes go on changing `saved` under it.
  const [seen, setSeen] = useState(saved)
  const form = useEntityForm({
    initialValues: saved.modulePermissions,
    required: [],
    toBody: (modulePermissions) => ({ modulePermissions, version: seen.version }),
    save: async (body): Promise<RoleMatrix | null> =>
      fixed ? null : call(users.changeRole, { params: { role }, body }),
    onSaved: (answer) => {
      if (!answer) return
      follow(answer)
      toastSuccess(t('permissions.updated'))
      void refetchCalls(users.roles)
    },
  })
  const follow = (now: RoleMatrix) => {
    setSeen(now)
    form.startFrom(now.modulePermissions)
  }
  useFollowed({ thing: saved, seen, isUnsaved: form.isUnsaved, follow })
  return (
    <EntityForm form={form} submitLabel={t('permissions.save')} disabled={!mayEdit} wide tab="role">
      {fixed && (
        <Text size="sm" c="dimmed">
          {t('permissions.adminFixed')}
        </Text>
      )}
      <Matrix
        matrix={form.fields.getValues()}
        disabled={fixed || !mayEdit}
        onChange={(module, action, allowed) =>
          form.fields.setFieldValue(module, withAction(form.fields.getValues()[module], action, allowed))
        }
      />
    </EntityForm>
  )
}
