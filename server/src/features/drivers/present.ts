import { type Driver, DriverState, type Trip } from '@isotherm/contract/drivers.ts'
import { showTrackingCode } from '../../domain/tracking-code.ts'
import type { DriverRow } from './queries.ts'
import type { TripRow } from './trip-queries.ts'

export const presentDriver = (row: DriverRow): Driver => ({
  id: row.id,
  name: row.name,
  phone: row.phone,
  email: row.email,
  address: row.address,
  status: DriverState.parse(row.status),
  licenceNo: row.licence_no,
  licenceExpiresOn: row.licence_expires_on,
  vehicle:
    row.vehicle_id === null ? null : { id: row.vehicle_id, name: row.vehicle_name ?? '', plate: row.plate ?? '' },
  runningOrders: row.running_orders,
  createdAt: row.created_at.toISOString(),
  version: row.version,
})

export const presentTrip = (row: TripRow): Trip => ({
  orderId: row.id,
  trackingCode: showTrackingCode(row.tracking_code),
  state: row.state,
  startedAt: row.started_at.toISOString(),
  endedAt: row.ended_at?.toISOString() ?? null,
  timeSpentS: row.time_spent_s,
  isLate: row.is_late,
})

/** How the audit trail names a driver. */
export const target = ({ id, name }: DriverRow) => ({ kind: 'driver', id, name })

/** The facts of a driver in the audit trail. */
export const auditSnapshot = ({ name, phone, email, address, ...row }: DriverRow) => ({
  ...{ name, phone, email, address },
  licenceNo: row.licence_no,
  licenceExpiresOn: row.licence_expires_on,
})
