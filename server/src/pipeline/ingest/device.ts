import type { DeviceCommand } from '@isotherm/contract/ingest.ts'
import type { RecordWindow } from '../../domain/outside-time.ts'
import type { WatchedPlace } from '../../domain/place-crossings.ts'
import type { Rules } from '../../domain/rules.ts'
import type { DeviceAlarm } from './watched-alarms.ts'

/** A logical device as the road knows it. Replaced, never changed, when its settings do: the old one turns stale. */
export interface Device {
  companyId: number
  id: number
  /** 'company:device' */
  key: string
  /** The lane that alone writes this device. */
  lane: number
  rules: Rules
  /** Wishes it has not answered, oldest first. */
  commands: readonly DeviceCommand[]
  alarms: readonly DeviceAlarm[]
  /** Its records, where an alarm adds up the time outside within one. */
  records: readonly RecordWindow[]
  /** The company's places whose crossing is told. */
  places: readonly WatchedPlace[]
  stale: boolean
}

/** Which device a probe measures for, and when: [from, to) in ms since 1970. */
export interface Assignment {
  probe: number
  from: number
  to: number
  device: Device
}

/** A piece of hardware: what it proves itself with and whom it measures for. */
export interface Tracker {
  imei: string
  secretHash: Buffer
  assignments: readonly Assignment[]
  stale: boolean
}

/** The device that owned a probe's reading at that time: late data after a swap or sale goes to the owner of then. */
export function ownerAt(tracker: Tracker, probe: number, at: number): Device | null {
  for (const assignment of tracker.assignments)
    if (assignment.probe === probe && assignment.from <= at && at < assignment.to) return assignment.device
  return null
}

/** What the present owners of a tracker's probes wish. */
export const commandsFor = (tracker: Tracker, now: number): DeviceCommand[] =>
  tracker.assignments.flatMap(({ from, to, device }) => (from <= now && now < to ? device.commands : []))
