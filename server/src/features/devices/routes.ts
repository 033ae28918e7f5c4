import type { Device, devices } from '@isotherm/contract/devices.ts'
import type { Context } from '../../platform/context.ts'
import type { Handlers } from '../../platform/http/serve.ts'
import { changeDevice } from './change-device.ts'
import { checkLicence } from './check-licence.ts'
import { devicesCsv } from './devices-csv.ts'
import { getDevice, listDevices, type OpenAlarmsOf } from './get-device.ts'
import { devicesOnMap } from './on-map.ts'
import { presentDevice } from './present.ts'
import { addSample, removeSample, type TendSamples } from './sample-device.ts'
import { setupDevice } from './setup-device.ts'
import { summarize } from './summary.ts'

/** The facts about a device that other features know. The app hands them in. */
export interface DeviceParts {
  openAlarmsOf: OpenAlarmsOf
  withTimeToBreach(ctx: Context, device: Device): Promise<Device>
  tendSamples: TendSamples
}

type Calls =
  | 'list'
  | 'fleet'
  | 'one'
  | 'summary'
  | 'exportCsv'
  | 'setup'
  | 'addSample'
  | 'removeSample'
  | 'change'
  | 'licence'

export const deviceHandlers = (parts: DeviceParts): Pick<Handlers<typeof devices>, Calls> => ({
  list: (ctx, { query }) => listDevices(ctx, query, parts.openAlarmsOf),
  one: async (ctx, { params }) => parts.withTimeToBreach(ctx, await getDevice(ctx, params.id)),
  fleet: (ctx, { query }) => devicesOnMap(ctx, query.group),
  summary: (ctx) => summarize(ctx),
  exportCsv: (ctx, { query }) => devicesCsv(ctx, query),
  async setup(ctx, { body }) {
    const { row, newSecret } = await setupDevice(ctx, body)
    return { ...presentDevice(row), newSecret }
  },
  addSample: async (ctx) => presentDevice(await addSample(ctx, parts.tendSamples)),
  removeSample: (ctx) => removeSample(ctx, parts.tendSamples),
  change: async (ctx, { params, body }) => presentDevice(await changeDevice(ctx, params.id, body)),
  licence: (ctx, { params }) => checkLicence(ctx, params.key),
})
