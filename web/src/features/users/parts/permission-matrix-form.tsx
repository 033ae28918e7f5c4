import { type RoleMatrix, users } from '@isotherm/contract/users.ts'
import { Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { useCan } from '../../../lib/can.ts'
import { refetchCalls } from '../../../lib/query.ts'
import { toastSuccess } from '../../../lib/toast.ts'
import { Matrix } from '../../../shared/permissions/permission-matrix.tsx'
import { withAction } from '../../../shared/permissions/with-action.ts'
import { EntityForm } from '../../../ui/form/entity-form.tsx'
import { useEntityForm } from '../../../ui/form/use-entity-form.ts'

/** One role's features against Add/Edit, View and Export. Admin's boxes cannot be changed, and its Save does nothing. */
export function PermissionMatrixForm({ saved }: { saved: RoleMatrix }) {
  const { t } = useTranslation('users')
  const mayEdit = useCan('users.addOrEdit')
  const { role } = saved
  const fixed = role === 'admin'
  // As it was when the form began.
  const [seen, setSeen] = useState(saved)
  const form = useEntityForm({
    initialValues: saved.modulePermissions,
    required: [],
    toBody: (modulePermissions) => ({ modulePermissions, version: seen.version }),
    save: async (body): Promise<RoleMatrix | null> =>
      fixed ? null : call(users.changeRole, { params: { role }, body }),
    onSaved: (answer) => {
      if (!answer) return
      setSeen(answer)
      form.startFrom(answer.modulePermissions)
      toastSuccess(t('permissions.updated'))
      void refetchCalls(users.roles)
    },
  })
  const { isUnsaved, startFrom } = form
  // Somebody else saved meanwhile: shown, unless it would undo what was ticked here.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new answer of the server starts over
  useEffect(() => {
    if (isUnsaved()) return
    setSeen(saved)
    startFrom(saved.modulePermissions)
  }, [saved])
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
