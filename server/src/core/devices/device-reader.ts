import type { Period } from '@isotherm/contract/common.ts'
import type { Chart, DevicePath } from '@isotherm/contract/device-history.ts'
import type { Device } from '@isotherm/contract/devices.ts'
import type { Excursion } from '@isotherm/contract/excursions.ts'
import type { StatsOfDevice } from '@isotherm/contract/stats.ts'
import type { Trigger } from '@isotherm/contract/triggers.ts'
import type { Context } from '../../platform/context.ts'

/** A period with both ends, and how many points are to be drawn of it at most, about. */
export type Drawing = Period & { points: number }

/** A device's measure from its first reading outside to its last; `id` is the caller's. */
export interface OutsideStretch {
  id: string
  deviceId: number
  measure: 'temperature' | 'humidity'
  side: 'above' | 'below'
  from: Date
  to: Date
}

/**
 * The data of one device as the screens show it; the features that own the data implement it, and the app hands it to those that
 * report. Every function throws NOT_FOUND where the person may not see the device.
 */
export interface DeviceReader {
  device(ctx: Context, id: string): Promise<Device>
  stats(ctx: Context, id: string, period: Period): Promise<StatsOfDevice>
  chart(ctx: Context, id: string, drawing: Drawing): Promise<Chart>
  path(ctx: Context, id: string, drawing: Drawing): Promise<DevicePath>
  /** Excursions that reach into the period, by their beginning. */
  excursions(ctx: Context, id: string, period: Period): AsyncIterable<Excursion>
  /** Triggers of alarms that opened in the period, oldest first; those that only wait for their delay are left out. */
  triggers(ctx: Context, id: string, period: Period): AsyncIterable<Trigger>
}
