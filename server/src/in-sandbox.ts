import { addSandboxSamples, removeSample, type TendSamples } from './features/devices/sample-device.ts'
import type { WindSandbox } from './features/sandbox/clock-verbs.ts'
import type { SandboxParts } from './features/sandbox/verbs.ts'
import { removeEndpoints } from './features/webhooks/endpoint-verbs.ts'
import { tendSamples } from './tend-samples.ts'
import { windSandbox } from './wind-sandbox.ts'

const tend: TendSamples = (ctx) => ctx.enqueue(tendSamples, {})

/** The parts of other features in a sandbox. */
export const inSandbox: SandboxParts = {
  addDevices: (ctx) => addSandboxSamples(ctx, tend),
  removeDevices: (ctx) => removeSample(ctx, tend),
  removeEndpoints,
}

/** Winds the clock of the sandbox that calls, in the background. */
export const wind: WindSandbox = (ctx) => ctx.enqueue(windSandbox, { companyId: ctx.companyId })
