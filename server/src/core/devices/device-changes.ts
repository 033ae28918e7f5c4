import type { Device, DeviceChange, DeviceSetup } from '@isotherm/contract/devices.ts'
import type { Hardware } from '../provider/hardware.ts'
import type { Licence } from './licences.ts'

/** A device to be, of hardware and a licence with room for it, both locked by the caller. */
export interface Claim {
  input: DeviceSetup
  /** Null for the sample device, which needs none. */
  licence: Licence | null
  hardware: Hardware
}

/** A change of what the company decides by itself. */
export interface LabelChange {
  /** As it is, its row locked by the caller. */
  device: Device
  change: Pick<DeviceChange, 'name' | 'tag' | 'limits'>
}
