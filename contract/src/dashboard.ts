import { z } from 'zod'
import { get } from './call.ts'
import { Id, Instant } from './common.ts'
import { ChartExcursion } from './device-history.ts'
import { DeviceSummary } from './devices.ts'

export const DashboardExcursion = ChartExcursion.extend({
  deviceId: Id,
  deviceName: z.string(),
  /** The latest value, and the limit it breaks; degrees Celsius or percent. */
  value: z.number().nullable(),
  limit: z.number().nullable(),
})
export type DashboardExcursion = z.infer<typeof DashboardExcursion>

export const DashboardEvent = z.object({
  kind: z.enum(['excursionStarted', 'excursionEnded', 'deviceAdded']),
  at: Instant,
  deviceId: Id,
  deviceName: z.string(),
  measure: z.enum(['temperature', 'humidity']).nullable(),
  side: z.enum(['above', 'below']).nullable(),
  peak: z.number().nullable(),
})
export type DashboardEvent = z.infer<typeof DashboardEvent>

/** Most pressing first: out of range, silent, clock ahead, battery low, licence about to end. */
export const NeedsAttention = z.object({
  kind: z.enum(['outOfRange', 'silent', 'clockAhead', 'batteryLow', 'licenceEnding', 'licenceExpired']),
  deviceId: Id,
  deviceName: z.string(),
  /** Since when; for a licence, when it ends or ended. */
  since: Instant,
  /** Degrees Celsius, percent, or seconds ahead, by kind. */
  value: z.number().nullable(),
})
export type NeedsAttention = z.infer<typeof NeedsAttention>

/** Each part is null where the person's role may not see it. */
export const Dashboard = z.object({
  at: Instant,
  devices: z
    .object({
      summary: DeviceSummary,
      /** Those of live and late devices, longest first, at most 20. */
      excursionsNow: z.array(DashboardExcursion),
      /** Newest first, at most 20. */
      events: z.array(DashboardEvent),
      /** At most 20 of each kind. */
      needsAttention: z.array(NeedsAttention),
    })
    .nullable(),
})
export type Dashboard = z.infer<typeof Dashboard>

export const dashboard = {
  figures: get('/users/dashboard', {
    needs: 'session',
    summary: 'The figures of the dashboard, as far as the role may see them',
    returns: Dashboard,
  }),
}
