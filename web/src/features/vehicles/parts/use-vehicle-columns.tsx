import type { Vehicle } from '@isotherm/contract/vehicles.ts'
import { useTranslation } from 'react-i18next'
import type { Column } from '../../../ui/list/column.ts'
import { VehicleState } from './vehicle-state.tsx'

export function useVehicleColumns(): Column<Vehicle>[] {
  const { t } = useTranslation('vehicles')
  return [
    { key: 'name', title: t('fields.name'), sort: 'name', render: ({ name }) => <b>{name}</b> },
    { key: 'plate', title: t('fields.plate'), sort: 'plate', render: ({ plate }) => plate },
    { key: 'type', title: t('fields.type'), sort: 'type', render: ({ type }) => t(`types.${type}`) },
    {
      key: 'availability',
      title: t('fields.availability'),
      render: (vehicle) => <VehicleState vehicle={vehicle} />,
    },
    {
      key: 'driver',
      title: t('fields.driver'),
      render: ({ driver }) => driver?.name ?? t('availability.unassigned'),
    },
    { key: 'device', title: t('fields.device'), hideBelow: 1100, render: ({ device }) => device?.name ?? '–' },
  ]
}
