import type { DeviceLife } from '@isotherm/contract/device-life.ts'
import type { LifeDevice } from '../use-life.ts'

export interface LifeProps {
  device: LifeDevice
  life: DeviceLife
  mayEdit: boolean
}
