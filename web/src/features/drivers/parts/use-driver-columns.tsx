import type { Driver } from '@isotherm/contract/drivers.ts'
import { useTranslation } from 'react-i18next'
import type { Column } from '../../../ui/list/column.ts'
import { DriverState } from './driver-state.tsx'
import { LicenceDay } from './licence-day.tsx'

export function useDriverColumns(): Column<Driver>[] {
  const { t } = useTranslation('drivers')
  return [
    { key: 'name', title: t('fields.name'), sort: 'name', render: ({ name }) => <b>{name}</b> },
    { key: 'phone', title: t('fields.phone'), render: ({ phone }) => phone },
    {
      key: 'vehicle',
      title: t('fields.vehicle'),
      render: ({ vehicle }) => (vehicle ? `${vehicle.name} · ${vehicle.plate}` : t('assignment.unassigned')),
    },
    {
      key: 'status',
      title: t('fields.status'),
      sort: 'status',
      render: ({ status }) => <DriverState status={status} />,
    },
    {
      key: 'licenceExpiresOn',
      title: t('fields.licenceExpiresOn'),
      sort: 'licenceExpiresOn',
      hideBelow: 1100,
      render: ({ licenceExpiresOn }) => <LicenceDay day={licenceExpiresOn} />,
    },
  ]
}
