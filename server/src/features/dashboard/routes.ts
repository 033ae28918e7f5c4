import type { Dashboard, dashboard } from '@isotherm/contract/dashboard.ts'
import type { Context } from '../../platform/http/context.ts'
import type { Handlers } from '../../platform/http/serve.ts'

/** What each feature puts on the dashboard: null where the person's role may not see it. The app lists them. */
export interface DashboardParts {
  devices(ctx: Context): Promise<Dashboard['devices']>
}

export const dashboardHandlers = (parts: DashboardParts): Handlers<typeof dashboard> => ({
  figures: async (ctx) => ({ at: ctx.clock.now().toISOString(), devices: await parts.devices(ctx) }),
})
