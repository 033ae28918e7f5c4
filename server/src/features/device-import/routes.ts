import type { devices } from '@isotherm/contract/devices.ts'
import type { Handlers } from '../../platform/http/serve.ts'
import { type DevicePorts, setupBulk } from './setup-bulk.ts'

export const deviceImportHandlers = (ports: DevicePorts): Pick<Handlers<typeof devices>, 'setupBulk'> => ({
  setupBulk: (ctx, { body }) => setupBulk(ctx, ports, body),
})
