import type { ClaimedLife, deviceLife } from '@isotherm/contract/device-life.ts'
import type { Context } from '../../platform/context.ts'
import { presentPage } from '../../platform/http/present-page.ts'
import type { Handlers } from '../../platform/http/serve.ts'
import { addLicence } from './add-licence.ts'
import { decommission, type EndSessions } from './decommission.ts'
import { scheduleFlightMode, switchFlightMode } from './flight-mode.ts'
import type { ClaimedDevice } from './hardware.ts'
import { presentDecommissioned, presentPower } from './present.ts'
import { pageOfDecommissioned } from './queries.ts'
import { flightOf, readFlight, readLife } from './read-life.ts'
import { restore } from './restore.ts'
import { setPower } from './set-power.ts'
import { swapDevice } from './swap-device.ts'

const claimedLife = async (ctx: Context, { device, newSecret }: ClaimedDevice): Promise<ClaimedLife> => ({
  ...(await readLife(ctx, device.id)),
  newSecret,
})

export const deviceLifeHandlers = (endSessionsOf: EndSessions): Handlers<typeof deviceLife> => ({
  decommissioned: async (ctx, { query }) =>
    presentPage(query, await pageOfDecommissioned(ctx, query), presentDecommissioned),
  life: (ctx, { params }) => readLife(ctx, params.id),
  swap: async (ctx, { params, body }) => claimedLife(ctx, await swapDevice(ctx, params.id, body)),
  flightModeDirect: async (ctx, { params, body }) =>
    flightOf(ctx, (await switchFlightMode(ctx, params.id, body.state)).id),
  flightMode: async (ctx, { params, body }) => flightOf(ctx, (await scheduleFlightMode(ctx, params.id, body)).id),
  flightSchedule: (ctx, { params }) => readFlight(ctx, params.id),
  addLicence: async (ctx, { body }) => readLife(ctx, (await addLicence(ctx, body)).id),
  power: async (ctx, { body }) => presentPower(body, await setPower(ctx, body)),
  decommission: async (ctx, { params, body }) =>
    readLife(ctx, (await decommission(ctx, params.id, body, endSessionsOf)).id),
  restore: async (ctx, { params, body }) => claimedLife(ctx, await restore(ctx, params.id, body)),
})
