import type { AlarmSchedule } from '@isotherm/contract/alarm-rules.ts'
import type { Condition } from './alarm-conditions.ts'
import type { RecordWindow } from './outside-time.ts'

/** An alarm as it watches one device. */
export interface WatchedAlarm {
  id: string
  conditions: readonly Condition[]
  schedule: AlarmSchedule | null
  /** Readings measured before it (ms since 1970) are not judged. */
  from: number
  /** The device's records, for conditions that add up the time outside within one; none where left out. */
  records?: readonly RecordWindow[]
}

/** One alarm's condition at a device. */
export const keyOf = (alarmId: string, condition: string): string => `${alarmId}/${condition}`
