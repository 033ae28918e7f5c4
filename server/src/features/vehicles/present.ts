import { type Vehicle, VehicleType } from '@isotherm/contract/vehicles.ts'
import type { VehicleRow } from './queries.ts'

export const presentVehicle = (row: VehicleRow): Vehicle => ({
  id: row.id,
  name: row.name,
  plate: row.plate,
  type: VehicleType.parse(row.type),
  driver: row.driver_id === null ? null : { id: row.driver_id, name: row.driver_name ?? '' },
  isAvailable: row.out_of_service_at === null && row.running_orders === 0,
  outOfServiceSince: row.out_of_service_at?.toISOString() ?? null,
  runningOrders: row.running_orders,
  device: row.device_name === null ? null : { id: String(row.device_id), name: row.device_name },
  createdAt: row.created_at.toISOString(),
  version: row.version,
})

/** How the audit trail names a vehicle. */
export const target = ({ id, name }: VehicleRow) => ({ kind: 'vehicle', id, name })

/** The facts of a vehicle in the audit trail: which tracker it has is not for everybody who reads the trail. */
export const auditSnapshot = (row: VehicleRow) => ({
  ...{ name: row.name, plate: row.plate, type: row.type },
  isOutOfService: row.out_of_service_at !== null,
  hasTracker: row.device_id !== null,
})
