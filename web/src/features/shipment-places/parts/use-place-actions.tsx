import type { ShipmentPlace } from '@isotherm/contract/shipment-places.ts'
import { IconPencil, IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { refetchCalls } from '../../../lib/query.ts'
import { toastSuccess } from '../../../lib/toast.ts'
import { confirm } from '../../../ui/confirm.ts'
import type { RowAction } from '../../../ui/list/column.ts'
import { type PlaceKind, placeCalls } from '../place-kinds.ts'

/** The menu of a row for somebody who may edit places. */
export function usePlaceActions(
  kind: PlaceKind,
  onEdit: (place: ShipmentPlace) => void,
): (place: ShipmentPlace) => RowAction[] {
  const { t } = useTranslation('shipmentPlaces')
  const calls = placeCalls[kind]
  const remove = ({ id, name }: ShipmentPlace) =>
    confirm({
      title: t('delete.title', { name }),
      text: t('delete.text'),
      action: t('common:actions.delete'),
      destructive: true,
      run: async () => {
        await call(calls.remove, { params: { id } })
        toastSuccess(t(`kinds.${kind}.deleted`))
        await refetchCalls(calls.list)
      },
    })
  return (place) => [
    { label: t('common:actions.edit'), icon: <IconPencil size={16} />, onClick: () => onEdit(place) },
    {
      label: t('common:actions.delete'),
      icon: <IconTrash size={16} />,
      onClick: () => remove(place),
      destructive: true,
    },
  ]
}
