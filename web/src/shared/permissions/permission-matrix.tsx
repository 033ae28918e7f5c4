import {
  type Action,
  type Module,
  modules,
  type Permission,
  type PermissionMatrix,
} from '@isotherm/contract/permissions.ts'
import { Checkbox, Table, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { named } from '../../lib/named.ts'
import classes from './permission-matrix.module.css'

// The order of the columns: Add/Edit, View, Export.
const columns: Action[] = ['addOrEdit', 'view', 'export']

interface MatrixProps {
  matrix: PermissionMatrix
  disabled?: boolean
  /** A permission that is not to be had: it has no box. */
  without?: Permission
  onChange: (module: Module, action: Action, allowed: boolean) => void
}

/** Features against Add/Edit, View and Export, each a box; of a role, or of an API key. */
export function Matrix({ matrix, disabled = false, without, onChange }: MatrixProps) {
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
                {without !== `${module}.${action}` && (
                  <Checkbox
                    className={classes.box}
                    aria-label={named(t(`modules.${module}`), t(`actions.${action}`))}
                    aria-describedby={`about-${module}`}
                    checked={matrix[module][action]}
                    disabled={disabled}
                    onChange={(event) => onChange(module, action, event.currentTarget.checked)}
                  />
                )}
              </Table.Td>
            ))}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
