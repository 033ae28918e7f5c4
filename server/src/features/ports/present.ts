import { type Port, PortType } from '@isotherm/contract/ports.ts'
import type { PortRow } from '../../core/ports/port-queries.ts'

export const presentPort = (row: PortRow): Port => ({
  type: PortType.parse(row.kind),
  code: row.code,
  name: row.name,
  aliases: row.aliases,
  country: row.country,
  lat: row.lat,
  lon: row.lon,
  timezone: row.zone,
  radiusM: row.radius_m,
})
