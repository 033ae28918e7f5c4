import type { Cumulative } from '@isotherm/contract/alarm-rules.ts'
import type { Firing } from '../../domain/alarm-firing.ts'
import type { Excursion } from '../../domain/excursion.ts'
import type { Measure } from '../../domain/measures.ts'
import type { Outside } from '../../domain/outside-time.ts'
import type { Crossing } from '../../domain/place-crossings.ts'
import type { Rollup } from '../../domain/rollup.ts'
import type { Device } from '../ingest/device.ts'
import type { DeviceAlarm } from '../ingest/watched-alarms.ts'

/** The change of one row of readings_hourly: `n` is added; a measure's rollup replaces the one before, null keeps it. */
export interface RollupWrite {
  device: Device
  bucket: number
  n: number
  temperature: Rollup | null
  humidity: Rollup | null
}

/** The change of an excursion: `grew` while open; `amended` and `removed` by data that came late. */
export type ExcursionChange = 'started' | 'grew' | 'ended' | 'amended' | 'removed'

/** An excursion to insert, or to update where one of that device, measure and start is known. */
export interface ExcursionWrite {
  device: Device
  measure: Measure
  /** Empty until it is written. */
  id: string
  excursion: Excursion
  change: ExcursionChange
  /** Recorded more than 3 intervals after it began. */
  late: boolean
}

/** A trigger to insert, update, delete or withdraw. `stored` is what the table has of it. */
export interface TriggerWrite {
  kind: 'insert' | 'update' | 'delete' | 'withdraw'
  device: Device
  alarm: DeviceAlarm
  condition: string
  id: string
  stored: Firing | null
  firing: Firing
  /** Hundredths, or minutes of silence; null for fences. */
  limit: number | null
  /** For a cumulative alarm: the minutes in total it allows, and within which window. */
  cumulative: Cumulative | null
  fence: string | null
  position: { lat: number; lon: number } | null
  /** How much worse it must get to fire again after somebody resolved it; null: it does not. */
  worseBy: number | null
  /** Changed by late data after it was recorded. */
  isAmended: boolean
  /** Opened more than 3 intervals ago: its readings came late. */
  isLate: boolean
}

/** The count of a cumulative alarm for a device; null: it is deleted. */
export interface OutsideWrite {
  device: Device
  alarmId: string
  condition: string
  counted: Outside | null
}

export interface SideWrite {
  device: Device
  fence: string
  side: 'in' | 'out'
  since: number
}

/** A crossing of a place's border that people are to hear of. */
export interface CrossingWrite extends Crossing {
  device: Device
  position: { lat: number; lon: number } | null
  /** Its fixes came late. */
  isLate: boolean
}
