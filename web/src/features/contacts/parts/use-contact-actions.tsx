import { type Contact, contacts } from '@isotherm/contract/contacts.ts'
import { IconPencil, IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { refetchCalls } from '../../../lib/query.ts'
import { toastSuccess } from '../../../lib/toast.ts'
import { confirm } from '../../../ui/confirm.ts'
import type { RowAction } from '../../../ui/list/column.ts'

/** The menu of a row for somebody who may edit contacts. */
export function useContactActions(onEdit: (contact: Contact) => void): (contact: Contact) => RowAction[] {
  const { t } = useTranslation('contacts')
  const remove = ({ id, name }: Contact) =>
    confirm({
      title: t('delete.title', { name }),
      text: t('delete.text'),
      action: t('common:actions.delete'),
      destructive: true,
      run: async () => {
        await call(contacts.remove, { params: { id } })
        toastSuccess(t('deleted'))
        await refetchCalls(contacts.list)
      },
    })
  return (contact) => [
    { label: t('common:actions.edit'), icon: <IconPencil size={16} />, onClick: () => onEdit(contact) },
    {
      label: t('common:actions.delete'),
      icon: <IconTrash size={16} />,
      onClick: () => remove(contact),
      destructive: true,
    },
  ]
}
