import type { Bus } from '../../platform/bus/bus.ts'
import type { Pool } from '../../platform/db/pool.ts'
import type { Log } from '../../platform/log/log.ts'

export interface DispatchTools {
  pool: Pool
  bus: Bus
  now(): Date
  publicUrl: string
  log: Log
  nearestTownName(lat: number, lon: number): string | null
}
