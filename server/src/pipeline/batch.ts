import type pg from 'pg'
import type { Quiet } from '../domain/alarm-silence.ts'
import type { Turns } from '../platform/loop/turns.ts'
import type { DeviceState } from './evaluate/device-state.ts'
import type {
  CrossingWrite,
  ExcursionWrite,
  OutsideWrite,
  RollupWrite,
  SideWrite,
  TriggerWrite,
} from './evaluate/writes.ts'
import type { Device, Tracker } from './ingest/device.ts'
import type { Ack, Outcome, Protocol, Reading, Refused } from './ingest/inbound-message.ts'

/** A message of a device. It is answered once all its parts are committed. */
export interface InboundMessage {
  tracker: Tracker
  protocol: Protocol
  receivedAt: number
  /** The instant that counts as now for it, in a sandbox; null: the real time. */
  clock: number | null
  /** Parts not committed yet. */
  waiting: number
  outcome: Outcome
  done(outcome: Outcome): void
  /** How many nodes handed it on. */
  hops: number
  /** Given up on: the server stops without its database, or no node could store a part of it in time. */
  failed(error: Error): void
}

/** The part of one message that goes through one lane. */
export interface Part {
  message: InboundMessage
  /** The tracker it was routed by; that of its message may be newer, where another part has been routed again. */
  tracker: Tracker
  rows: Row[]
  refused: Refused[]
  acks: Ack[]
  /** Stretches of devices to be judged again. */
  windows: Window[]
  /** Devices whose alarms the clock has something to say about. */
  ticks: Tick[]
}

/** `silence`: the sweep found that an alarm misses the device's readings, and nothing excuses that. */
export interface Tick {
  device: Device
  silence: Pick<Quiet, 'freeSince'> | null
}

/** From and to in ms since 1970. */
export interface Window {
  device: Device
  from: number
  to: number
}

/** A reading with the device it belongs to and the time it was measured at, ms since 1970. */
export interface Row {
  part: Part
  reading: Reading
  device: Device
  at: number
}

/** A row of ingest_rejected to be. */
export interface Rejection extends Refused {
  message: InboundMessage
  companyId: number | null
  deviceId: number | null
}

/** How many readings of a device a batch brought, and of which times. */
export interface Arrivals {
  count: number
  from: number
  to: number
}

/** One transaction's worth of readings, and what the stages find out about them. */
export interface Batch {
  client: pg.Client
  /** Long work of the batch is done in these turns. */
  turns: Turns
  parts: readonly Part[]
  now: number
  /** Whether readings newer than their device's newest are taken to be unknown to the database without asking. */
  trusting: boolean
  /** By (company, device, time), each key once. */
  rows: readonly Row[]
  /** Further readings of a key within this batch: pairs of the first and the repeated one. */
  repeats: { first: Row; row: Row }[]
  /** Those of `rows` that the database did not have: the only ones that go on. */
  inserted: Row[]
  /** Those of `rows` that it had: duplicates or conflicts. */
  alreadyStored: Row[]
  /** Readings that were sent before, with the same values. */
  duplicates: Row[]
  /** The state of every device in the batch, by key; cached by the lane. */
  states: Map<string, DeviceState>
  /** Stretches to be judged again: asked for, or because rules changed for readings that are here already. */
  windows: Window[]
  rollups: RollupWrite[]
  ticks: Tick[]
  triggers: TriggerWrite[]
  /** Sides of fences that changed. */
  sides: SideWrite[]
  crossings: CrossingWrite[]
  /** New counts of cumulative alarms. */
  outside: OutsideWrite[]
  /** To be written with the batch. */
  excursions: ExcursionWrite[]
  /** Written already, because of late readings. */
  amended: ExcursionWrite[]
  /** The devices that got readings, for device_latest and the browsers. */
  moved: Map<DeviceState, Arrivals>
  rejections: Rejection[]
  /** Unset: all of them are kept. */
  rejectedPerDay: RejectedPerDay | undefined
  /** How many readings that were there before were judged again, by company: what a batch costs beyond its rows. */
  judgedAgain: Map<number, number>
  /** The commands that devices answered. */
  answered: { companyId: number; deviceId: number; commandId: string; kind: string; ok: boolean; ackedAt: number }[]
}

/** How much of what a tracker sends on one day (UTC) and cannot be stored is kept. */
export interface RejectedPerDay {
  bytes: number
  rows: number
}

/** Notes that readings of a company were judged again. */
export function noteJudgedAgain({ judgedAgain }: Batch, companyId: number, readings: number): void {
  judgedAgain.set(companyId, (judgedAgain.get(companyId) ?? 0) + readings)
}
