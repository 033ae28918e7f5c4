import type { DecommissionedDevice, DeviceLife, FlightSchedule, PowerChange } from '@isotherm/contract/device-life.ts'
import type { z } from 'zod'
import type { Assigned } from '../../core/devices/assignments.ts'
import type { FlightRow } from '../../core/devices/flight-queries.ts'
import type { DecommissionedRow, LifeRow, UsedLicence } from './queries.ts'

export const presentDecommissioned = (row: DecommissionedRow): DecommissionedDevice => ({
  id: String(row.id),
  name: row.name,
  tag: row.tag,
  type: row.type,
  visibility: row.visibility as DecommissionedDevice['visibility'],
  lastImei: row.last_imei,
  firstReadingAt: row.first_at?.toISOString() ?? null,
  lastReadingAt: row.last_at?.toISOString() ?? null,
  decommissionedAt: row.decommissioned_at.toISOString(),
})

/** How flight mode stands, as requested and as the device confirmed it. */
export const presentFlight = (current: FlightRow | undefined, confirmed: string): FlightSchedule => ({
  state: (current?.state ?? 'off') as FlightSchedule['state'],
  kind: (current?.kind ?? null) as FlightSchedule['kind'],
  carrierCode: current?.carrier_code ?? null,
  flightNumber: current?.flight_number ?? null,
  scheduledDepartureDate: current?.departs_at?.toISOString() ?? null,
  startedAt: current?.started_at?.toISOString() ?? null,
  confirmed: confirmed === (current?.state === 'on' ? 'on' : 'off'),
})

export const presentLife = (
  device: LifeRow,
  hardware: readonly Assigned[],
  licences: readonly UsedLicence[],
  flight: FlightSchedule,
): DeviceLife => ({
  deviceId: String(device.id),
  hardware: hardware.map((row) => ({
    imei: row.imei,
    probe: row.probe,
    from: row.valid_from.toISOString(),
    to: row.valid_to?.toISOString() ?? null,
  })),
  licences: licences.map((row) => ({
    hint: row.hint,
    addedAt: row.added_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
  })),
  licenceUntil: device.licence_until?.toISOString() ?? null,
  power: device.power as DeviceLife['power'],
  flight,
  decommissionedAt: device.decommissioned_at?.toISOString() ?? null,
})

export const presentPower = (
  { imei, state }: Pick<z.output<typeof PowerChange>, 'imei' | 'state'>,
  devices: readonly { device_id: number }[],
) => ({ imei, state, deviceIds: devices.map((row) => String(row.device_id)) })
