import type { Firing } from '../../domain/alarm-firing.ts'
import { emptyWatch, type WatchState } from '../../domain/alarm-watch.ts'
import type { Measure } from '../../domain/measures.ts'
import type { Outside, RecordWindow } from '../../domain/outside-time.ts'
import type { SeriesState } from '../../domain/series.ts'
import type { Device } from '../ingest/device.ts'

/** The newest value of each kind with its time; as table device_latest, in ms and integers. */
export interface Latest {
  measuredAt: number | null
  receivedAt: number | null
  temperatureCenti: number | null
  temperatureAt: number | null
  humidityCenti: number | null
  humidityAt: number | null
  lightLux: number | null
  lightAt: number | null
  batteryPct: number | null
  batteryAt: number | null
  latE7: number | null
  lonE7: number | null
  accuracyM: number | null
  positionAt: number | null
  clockAheadS: number | null
  clockAheadAt: number | null
}

/** Where a device stands. Kept in memory by its lane between batches, dropped when a transaction fails. */
export interface DeviceState {
  device: Device
  /** The newest reading stored, as far as is known; -Infinity where there is none. */
  tailAt: number
  latest: Latest
  series: Record<Measure, SeriesState>
  alarms: AlarmState
}

/** Where a device's alarms stand, and what of it the tables have. */
export interface AlarmState {
  watch: WatchState
  /** The current triggers as they are stored, by key. */
  stored: Map<string, StoredFiring>
  /** The sides of fences as they are stored. */
  sides: Map<string, 'in' | 'out'>
  /** The stored counts of cumulative alarms, by key. */
  totals: Map<string, Outside>
  /** The records by which they counted last; null where nothing is known of that. */
  records: readonly RecordWindow[] | null
  /** Until when the clock has judged them: what was measured before and comes now is judged again. */
  judgedUntil: number
}

export interface StoredFiring {
  id: string
  firing: Firing
}

export const noAlarms = (): AlarmState => ({
  watch: emptyWatch(),
  stored: new Map(),
  sides: new Map(),
  totals: new Map(),
  records: null,
  judgedUntil: Number.NEGATIVE_INFINITY,
})

export const noLatest: Readonly<Latest> = {
  measuredAt: null,
  receivedAt: null,
  temperatureCenti: null,
  temperatureAt: null,
  humidityCenti: null,
  humidityAt: null,
  lightLux: null,
  lightAt: null,
  batteryPct: null,
  batteryAt: null,
  latE7: null,
  lonE7: null,
  accuracyM: null,
  positionAt: null,
  clockAheadS: null,
  clockAheadAt: null,
}
