import type { deviceLife } from '@isotherm/contract/device-life.ts'
import type { Handlers } from '../../platform/http/serve.ts'
import { addLicence } from './add-licence.ts'
import { decommission } from './decommission.ts'
import { scheduleFlightMode, switchFlightMode } from './flight-mode.ts'
import { getLife } from './get-life.ts'
import { listDecommissioned } from './list-decommissioned.ts'
import { getFlight } from './read-flight.ts'
import { restore } from './restore.ts'
import { setPower } from './set-power.ts'
import { swapDevice } from './swap-device.ts'

export const deviceLifeHandlers: Handlers<typeof deviceLife> = {
  decommissioned: (ctx, { query }) => listDecommissioned(ctx, query),
  life: (ctx, { params }) => getLife(ctx, params.id),
  swap: (ctx, { params, body }) => swapDevice(ctx, params.id, body),
  flightModeDirect: (ctx, { params, body }) => switchFlightMode(ctx, params.id, body.state),
  flightMode: (ctx, { params, body }) => scheduleFlightMode(ctx, params.id, body),
  flightSchedule: (ctx, { params }) => getFlight(ctx, params.id),
  addLicence: (ctx, { body }) => addLicence(ctx, body),
  power: (ctx, { body }) => setPower(ctx, body),
  decommission: (ctx, { params, body }) => decommission(ctx, params.id, body),
  restore: (ctx, { params, body }) => restore(ctx, params.id, body),
}
