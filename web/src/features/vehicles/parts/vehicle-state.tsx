import type { Vehicle } from '@isotherm/contract/vehicles.ts'
import { useTranslation } from 'react-i18next'
import { StateDot } from '../../../ui/state-dot.tsx'

/** Available, on an order in progress, or out of service. */
export function VehicleState({ vehicle }: { vehicle: Vehicle }) {
  const { t } = useTranslation('vehicles')
  if (vehicle.outOfServiceSince) return <StateDot tone="warning" label={t('outOfService')} />
  if (!vehicle.isAvailable)
    return <StateDot tone="none" hollow label={t('onOrder', { count: vehicle.runningOrders })} />
  return <StateDot tone="ok" label={t('availability.available')} />
}
