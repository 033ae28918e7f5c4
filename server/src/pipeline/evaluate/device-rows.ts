import type { Row } from '../batch.ts'
import type { DeviceState } from './device-state.ts'
import type { RollupWrites } from './rollup-writes.ts'

/** A device's inserted readings, in the order of time. */
export interface DeviceRows {
  state: DeviceState
  rows: Row[]
  rollups: RollupWrites
}
