import type { DeviceCommand } from '@isotherm/contract/ingest.ts'
import type { RecordWindow } from '../../domain/outside-time.ts'
import type { WatchedPlace } from '../../domain/place-crossings.ts'
import type { Rules } from '../../domain/rules.ts'
import type { DeviceAlarm } from './watched-alarms.ts'

/** A logical device as the pipeline knows it. Replaced, never changed, when its settings do: the old one turns stale. */
export interface Device {
  companyId: number
  id: number
  /** 'company:device' */
  key: string
  /** The lane that alone writes this device. */
  lane: number
  rules: Rules
  /** Commands it has not answered, oldest first. */
  commands: readonly DeviceCommand[]
  alarms: readonly DeviceAlarm[]
  /** Its records, where an alarm adds up the time outside within one. */
  records: readonly RecordWindow[]
  /** The company's places whose crossing is told. */
  places: readonly WatchedPlace[]
  /** Whether its company's events are written. */
  tellsEvents: boolean
  /** Whether its company exports its readings in the order of their arrival. */
  notesArrivals: boolean
  /** The clock of its sandbox when this was read, ms since 1970: right for who has just read it. Null: of no sandbox. */
  clockThen: number | null
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
  /** The company that has it, or had it last: its secret is that company's alone. Null where it never had one. */
  owner: number | null
  assignments: readonly Assignment[]
  stale: boolean
}

/**
 * The company that has hardware, or had it last. One company has it at a time; were there two, the lowest probe says whose it
 * is, as in store/apply-acks.ts.
 */
export function ownerOf(assignments: readonly Assignment[]): number | null {
  const [last] = assignments.toSorted((a, b) => (a.to === b.to ? a.probe - b.probe : b.to - a.to))
  return last?.device.companyId ?? null
}

/**
 * The device of the owner that a probe's reading of that time belongs to: late data after a swap goes to the device of then. What was
 * measured for a former owner is nobody's: whoever has the hardware now must not write into that history.
 */
export function deviceAt({ owner, assignments }: Tracker, probe: number, at: number): Device | null {
  for (const { probe: its, from, to, device } of assignments)
    if (its === probe && device.companyId === owner && from <= at && at < to) return device
  return null
}

/** The devices that a tracker measures for now, all of its owner. */
export const presentDevices = ({ owner, assignments }: Tracker, now: number): Device[] =>
  assignments.flatMap(({ from, to, device }) => (device.companyId === owner && from <= now && now < to ? [device] : []))

/** Commands for the devices of a tracker. */
export const commandsFor = (tracker: Tracker, now: number): DeviceCommand[] =>
  presentDevices(tracker, now).flatMap(({ commands }) => commands)
