import { type Action, type Module, modules, type PermissionMatrix, type Role } from '@isotherm/contract/permissions.ts'
import { type RoleMatrix, users } from '@isotherm/contract/users.ts'
import { Checkbox, Table, Text } from '@mantine/core'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { useCan } from '../../../lib/can.ts'
import { refetchCalls } from '../../../lib/query.ts'
import { toastSuccess } from '../../../lib/toast.ts'
import { EntityForm } from '../../../ui/form/entity-form.tsx'
import { useEntityForm } from '../../../ui/form/use-entity-form.ts'
import classes from './permission-matrix-form.module.css'
import { withAction } from './with-action.ts'

// The order of the columns: Add/Edit, View, Export.
const columns: Action[] = ['addOrEdit', 'view', 'export']

/** One role's features against Add/Edit, View and Export. Admin's boxes cannot be changed, and its Save does nothing. */
export function PermissionMatrixForm({ role, saved }: { role: Role; saved: PermissionMatrix }) {
  const { t } = useTranslation('users')
  const mayEdit = useCan('users.addOrEdit')
  const fixed = role === 'admin'
  const form = useEntityForm({
    initialValues: saved,
    toBody: (modulePermissions) => ({ modulePermissions }),
    save: async (body): Promise<RoleMatrix | null> =>
      fixed ? null : call(users.changeRole, { params: { role }, body }),
    onSaved: (answer) => {
      if (!answer) return
      form.startFrom(answer.modulePermissions)
      toastSuccess(t('permissions.updated'))
      void refetchCalls(users.roles)
    },
  })
  const { isUnsaved, startFrom } = form
  // Somebody else saved meanwhile: shown, unless it would undo what was ticked here.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new answer of the server starts over
  useEffect(() => {
    if (!isUnsaved()) startFrom(saved)
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

interface MatrixProps {
  matrix: PermissionMatrix
  disabled: boolean
  onChange: (module: Module, action: Action, allowed: boolean) => void
}

function Matrix({ matrix, disabled, onChange }: MatrixProps) {
  const { t } = useTranslation('users')
  return (
    <Table className={classes.matrix}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('permissions.feature')}</Table.Th>
          {columns.map((action) => (
            <Table.Th key={action} ta="center">
              {t(`actions.${action}`)}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {modules.map((module) => (
          <Table.Tr key={module}>
            <Table.Th scope="row">
              {t(`modules.${module}`)}
              <Text size="xs" c="dimmed" id={`about-${module}`}>
                {t(`permissions.about.${module}`)}
              </Text>
            </Table.Th>
            {columns.map((action) => (
              <Table.Td key={action}>
                <Checkbox
                  className={classes.box}
                  aria-label={`${t(`modules.${module}`)}: ${t(`actions.${action}`)}`}
                  aria-describedby={`about-${module}`}
                  checked={matrix[module][action]}
                  disabled={disabled}
                  onChange={(event) => onChange(module, action, event.currentTarget.checked)}
                />
              </Table.Td>
            ))}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
