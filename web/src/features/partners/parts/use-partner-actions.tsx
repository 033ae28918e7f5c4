import { type Partner, partners } from '@isotherm/contract/partners.ts'
import { IconPencil, IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { refetchCalls } from '../../../lib/query.ts'
import { toastSuccess } from '../../../lib/toast.ts'
import { confirm } from '../../../ui/confirm.ts'
import type { RowAction } from '../../../ui/list/column.ts'

/** The menu of a row for somebody who may edit partners. */
export function usePartnerActions(onEdit: (partner: Partner) => void): (partner: Partner) => RowAction[] {
  const { t } = useTranslation('partners')
  const remove = ({ id, companyName }: Partner) =>
    confirm({
      title: t('delete.title', { name: companyName }),
      text: t('delete.text'),
      action: t('common:actions.delete'),
      destructive: true,
      run: async () => {
        await call(partners.remove, { params: { id } })
        toastSuccess(t('deleted'))
        await refetchCalls(partners.list)
      },
    })
  return (partner) => [
    { label: t('common:actions.edit'), icon: <IconPencil size={16} />, onClick: () => onEdit(partner) },
    {
      label: t('common:actions.delete'),
      icon: <IconTrash size={16} />,
      onClick: () => remove(partner),
      destructive: true,
    },
  ]
}
