import { type Driver, drivers } from '@isotherm/contract/drivers.ts'
import { IconPencil, IconTrash, IconTruck, IconTruckOff, IconUserCheck, IconUserOff } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { toastSuccess } from '../../../lib/toast.ts'
import { confirm } from '../../../ui/confirm.ts'
import type { RowAction } from '../../../ui/list/column.ts'
import { refetchDrivers } from '../refetch-drivers.ts'
import { AssignDialog } from './assign-dialog.tsx'
import { DriverDialog } from './driver-dialog.tsx'

interface DriverActions {
  actionsOf: (driver: Driver) => RowAction[]
  /** The dialogs that the actions open: to be shown somewhere on the page. */
  dialogs: ReactNode
}

/** The actions on a driver for somebody who may edit drivers. `onRemoved` runs after a deletion. */
export function useDriverActions(onRemoved?: () => void): DriverActions {
  const { t } = useTranslation('drivers')
  const [dialog, setDialog] = useState<{ kind: 'edit' | 'assign'; driver: Driver } | null>(null)
  const close = () => setDialog(null)
  const activate = async ({ id }: Driver) => {
    await call(drivers.setStatus, { params: { id }, body: { status: 'active' } }, { toastAll: true })
    toastSuccess(t('activated'))
    await refetchDrivers()
  }
  const deactivate = ({ id, name, runningOrders }: Driver) =>
    confirm({
      title: t('deactivate.title', { name }),
      text: t('deactivate.text'),
      warning: runningOrders > 0 && t('deactivate.running', { count: runningOrders }),
      action: t('deactivate.action'),
      run: async () => {
        await call(drivers.setStatus, { params: { id }, body: { status: 'inactive' } })
        toastSuccess(t('deactivated'))
        await refetchDrivers()
      },
    })
  const unassign = ({ id, name, vehicle }: Driver) =>
    confirm({
      title: t('unassign.title', { vehicle: vehicle?.name, name }),
      text: t('unassign.text'),
      action: t('unassign.action'),
      run: async () => {
        await call(drivers.unassignVehicle, { params: { id } })
        toastSuccess(t('unassigned'))
        await refetchDrivers()
      },
    })
  const remove = ({ id, name }: Driver) =>
    confirm({
      title: t('delete.title', { name }),
      text: t('delete.text'),
      action: t('common:actions.delete'),
      destructive: true,
      run: async () => {
        await call(drivers.remove, { params: { id } })
        toastSuccess(t('deleted'))
        onRemoved?.()
        await refetchDrivers()
      },
    })
  const actionsOf = (driver: Driver): RowAction[] => {
    const { status, vehicle } = driver
    const edit = () => setDialog({ kind: 'edit', driver })
    const assign = () => setDialog({ kind: 'assign', driver })
    return [
      { label: t('common:actions.edit'), icon: <IconPencil size={16} />, onClick: edit },
      ...(status === 'active'
        ? [{ label: t(vehicle ? 'assign.change' : 'assign.action'), icon: <IconTruck size={16} />, onClick: assign }]
        : []),
      ...(vehicle
        ? [{ label: t('unassign.action'), icon: <IconTruckOff size={16} />, onClick: () => unassign(driver) }]
        : []),
      status === 'active'
        ? { label: t('deactivate.action'), icon: <IconUserOff size={16} />, onClick: () => deactivate(driver) }
        : { label: t('activate'), icon: <IconUserCheck size={16} />, onClick: () => void activate(driver).catch(said) },
      {
        label: t('common:actions.delete'),
        icon: <IconTrash size={16} />,
        onClick: () => remove(driver),
        destructive: true,
      },
    ]
  }
  const dialogs = (
    <>
      {dialog?.kind === 'edit' && <DriverDialog driver={dialog.driver} onClose={close} />}
      {dialog?.kind === 'assign' && <AssignDialog driver={dialog.driver} onClose={close} />}
    </>
  )
  return { actionsOf, dialogs }
}

// The call has toasted it.
const said = () => undefined
