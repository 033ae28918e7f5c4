import type { Partner } from '@isotherm/contract/partners.ts'
import { useTranslation } from 'react-i18next'
import type { Column } from '../../../ui/list/column.ts'

export function usePartnerColumns(): Column<Partner>[] {
  const { t } = useTranslation('partners')
  return [
    {
      key: 'companyName',
      title: t('fields.companyName'),
      sort: 'companyName',
      render: ({ companyName }) => <b>{companyName}</b>,
    },
    { key: 'fullName', title: t('fields.fullName'), sort: 'fullName', render: ({ fullName }) => fullName },
    { key: 'phone', title: t('fields.phone'), render: ({ phone }) => phone },
    { key: 'email', title: t('fields.email'), hideBelow: 820, render: ({ email }) => email },
    {
      key: 'companyAddress',
      title: t('fields.companyAddress'),
      hideBelow: 1100,
      render: ({ companyAddress }) => companyAddress,
    },
  ]
}
