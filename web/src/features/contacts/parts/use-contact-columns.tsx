import type { Contact } from '@isotherm/contract/contacts.ts'
import { useTranslation } from 'react-i18next'
import type { Column } from '../../../ui/list/column.ts'

export function useContactColumns(): Column<Contact>[] {
  const { t } = useTranslation('contacts')
  return [
    { key: 'name', title: t('fields.name'), sort: 'name', render: ({ name }) => <b>{name}</b> },
    { key: 'company', title: t('fields.company'), sort: 'company', render: ({ company }) => company ?? '–' },
    { key: 'phone', title: t('fields.phone'), render: ({ phone }) => phone },
    { key: 'email', title: t('fields.email'), hideBelow: 820, render: ({ email }) => email ?? '–' },
    { key: 'address', title: t('fields.address'), hideBelow: 1100, render: ({ address }) => address ?? '–' },
  ]
}
