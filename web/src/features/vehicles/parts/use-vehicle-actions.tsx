import { type Vehicle, vehicles } from '@isotherm/contract/vehicles.ts'
import { IconPencil, IconTool, IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { refetchCalls } from '../../../lib/query.ts'
import { toastSuccess } from '../../../lib/toast.ts'
import { confirm } from '../../../ui/confirm.ts'
import type { RowAction } from '../../../ui/list/column.ts'

/** The menu of a row for somebody who may edit vehicles. */
export function useVehicleActions(onEdit: (vehicle: Vehicle) => void): (vehicle: Vehicle) => RowAction[] {
  const { t } = useTranslation('vehicles')
  const setService = async ({ id, version, outOfServiceSince }: Vehicle) => {
    try {
      const body = { version, isOutOfService: outOfServiceSince === null }
      await call(vehicles.change, { params: { id }, body }, { toastAll: true })
      toastSuccess(t('edited'))
    } catch {
      // The call has toasted it.
    }
    await refetchCalls(vehicles.list)
  }
  const remove = ({ id, name }: Vehicle) =>
    confirm({
      title: t('delete.title', { name }),
      text: t('delete.text'),
      action: t('common:actions.delete'),
      destructive: true,
      run: async () => {
        await call(vehicles.remove, { params: { id } })
        toastSuccess(t('deleted'))
        await refetchCalls(vehicles.list)
      },
    })
  return (vehicle) => [
    { label: t('common:actions.edit'), icon: <IconPencil size={16} />, onClick: () => onEdit(vehicle) },
    {
      label: t(vehicle.outOfServiceSince ? 'putIntoService' : 'takeOutOfService'),
      icon: <IconTool size={16} />,
      onClick: () => void setService(vehicle),
    },
    {
      label: t('common:actions.delete'),
      icon: <IconTrash size={16} />,
      onClick: () => remove(vehicle),
      destructive: true,
    },
  ]
}
