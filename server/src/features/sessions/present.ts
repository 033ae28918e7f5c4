import type { DeviceSession } from '@isotherm/contract/sessions.ts'
import type { SessionRow } from './queries.ts'

export const presentSession = (row: SessionRow): DeviceSession => ({
  id: row.id,
  deviceId: String(row.device_id),
  deviceName: row.device_name,
  name: row.name,
  openedBy: row.opened_by as DeviceSession['openedBy'],
  startedAt: row.started_at.toISOString(),
  endedAt: row.ended_at?.toISOString() ?? null,
  endedBy: row.ended_by as DeviceSession['endedBy'],
  createdBy: row.created_by,
})
