import { deviceLife } from '@isotherm/contract/device-life.ts'
import type { Device } from '@isotherm/contract/devices.ts'
import { devices } from '@isotherm/contract/devices.ts'
import { refetchCalls, useCall } from '../../lib/query.ts'

/** The facts about their device that the sections need. */
export type LifeDevice = Pick<Device, 'id' | 'name' | 'imei' | 'status' | 'waiting'>

export const useLife = (device: Pick<Device, 'id'>) => useCall(deviceLife.life, { params: { id: device.id } })

/** Fetches again all that a change of a device's life may have changed. */
export const refetchLife = () =>
  refetchCalls(deviceLife.life, deviceLife.decommissioned, devices.one, devices.list, devices.summary)
