import type pg from 'pg'
import type { Log } from '../platform/log/log.ts'
import type { Batch, Part, RejectedPerDay } from './batch.ts'
import type { Changes } from './change-reader.ts'
import type { DeviceHolds } from './device-holds.ts'
import type { AlarmState, DeviceState } from './evaluate/device-state.ts'
import type { Device } from './ingest/device.ts'

/** The functions of the pipeline that a lane needs. */
export interface LaneContext {
  databaseUrl: string
  maxBatch: number
  /** So many devices are remembered between batches. */
  maxRemembered: number
  rejectedPerDay: RejectedPerDay | undefined
  log: Log
  /** Unset: the only node. */
  nodeId?: string | undefined
  /** Whether this server may hold lanes now. */
  mayHold(): boolean
  /** Throws where this server may not write lanes; asked by a connection that holds one. */
  demand?(client: pg.Client): Promise<void>
  now(): number
  /** A lane has its connections: nobody asked meanwhile for what was due in it. */
  opened(): void
  /** Makes what the batch's rows need before its transaction begins. */
  prepare(batch: Batch): Promise<void>
  /** Something of that is not there any more. */
  forgetPartitions(): void
  /** Drops from memory what changed in the database. */
  forget(changes: Changes): void
  /** Finds the owners again of parts whose tracker or device has changed, and hands them to their lanes. */
  reroute(parts: readonly Part[]): Promise<void>
  committed(batch: Batch): Promise<void>
}

/** The memory of a lane between batches, of its devices; the writers share it, because a device is with one of them at a time. */
export interface Memory {
  /** Dropped whenever a transaction fails. */
  states: Map<string, DeviceState>
  /** By what each device's readings were last judged; stays when a transaction fails. */
  judgedBy: Map<string, JudgedBy>
  /** The writer that has each device just now. */
  holds: DeviceHolds
}

/** By what a device was judged, as far as no table says it. */
export interface JudgedBy extends Pick<AlarmState, 'records' | 'judgedUntil'> {
  device: Device
}
