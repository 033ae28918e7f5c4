import { addSample, removeSample, type TendSamples } from './features/devices/sample-device.ts'
import type { SandboxParts } from './features/sandbox/verbs.ts'
import { removeEndpoints } from './features/webhooks/endpoint-verbs.ts'
import { tendSamples } from './tend-samples.ts'

const tend: TendSamples = (ctx) => ctx.enqueue(tendSamples, {})

/** The parts of other features in a sandbox. */
export const inSandbox: SandboxParts = {
  addDevice: (ctx) => addSample(ctx, tend),
  removeDevice: (ctx) => removeSample(ctx, tend),
  removeEndpoints,
}
