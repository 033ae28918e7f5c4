import type { Dashboard, dashboard } from '@isotherm/contract/dashboard.ts'
import type { Context } from '../../platform/context.ts'
import type { Handlers } from '../../platform/http/serve.ts'
import { firstStepsOf } from './first-steps.ts'
import { findSample } from './first-steps-queries.ts'

/** The parts of the dashboard, one per feature: null where the person's role may not see it. The app lists them. */
export interface DashboardParts {
  devices(ctx: Context): Promise<Dashboard['devices']>
  alarms(ctx: Context): Promise<Dashboard['alarms']>
  reports(ctx: Context): Promise<Dashboard['reports']>
  wallets(ctx: Context): Promise<Dashboard['wallets']>
  licences(ctx: Context): Promise<Dashboard['licences']>
}

export const dashboardHandlers = (parts: DashboardParts): Handlers<typeof dashboard> => ({
  figures: async (ctx) => {
    const [devices, alarms, reports, firstSteps, sampleDeviceId, wallets, licences] = await Promise.all([
      parts.devices(ctx),
      parts.alarms(ctx),
      parts.reports(ctx),
      firstStepsOf(ctx),
      ctx.can('devices.view') ? findSample(ctx) : null,
      parts.wallets(ctx),
      parts.licences(ctx),
    ])
    return {
      at: ctx.clock.now().toISOString(),
      devices,
      alarms,
      reports,
      firstSteps,
      sampleDeviceId,
      wallets,
      licences,
    }
  },
})
