import { z } from 'zod'
import { Severity } from './alarm-rules.ts'
import { get } from './call.ts'
import { Id, Instant } from './common.ts'
import { ChartExcursion } from './device-history.ts'
import { DeviceSummary } from './devices.ts'
import { WalletBalance } from './units.ts'

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

/** A device in range that is heading for a limit of its temperature; minutes from `at` of the dashboard. Advisory. */
export const DashboardHeading = z.object({
  deviceId: Id,
  deviceName: z.string(),
  /** The latest temperature and the limit, degrees Celsius. */
  value: z.number(),
  limit: z.number(),
  side: z.enum(['above', 'below']),
  minutes: z.number().int(),
  lowMinutes: z.number().int(),
  highMinutes: z.number().int(),
})
export type DashboardHeading = z.infer<typeof DashboardHeading>

export const DashboardAlarmEvent = z.object({
  kind: z.enum(['alarmOpened', 'alarmAcknowledged', 'alarmNormal', 'alarmResolved']),
  at: Instant,
  triggerId: Id,
  alarmName: z.string(),
  deviceId: Id,
  deviceName: z.string(),
  severity: Severity,
  /** The person who acknowledged or resolved it. */
  by: z.string().nullable(),
})
export type DashboardAlarmEvent = z.infer<typeof DashboardAlarmEvent>

export const firstSteps = ['device', 'limits', 'alarm', 'person', 'group'] as const

/** Each part is null where the person's role may not see it. */
export const Dashboard = z.object({
  at: Instant,
  devices: z
    .object({
      summary: DeviceSummary,
      /** Those of live and late devices, longest first, at most 20. */
      excursionsNow: z.array(DashboardExcursion),
      /** Soonest first, at most 5. */
      headingOut: z.array(DashboardHeading),
      /** Newest first, at most 20. */
      events: z.array(DashboardEvent),
      /** At most 20 of each kind. */
      needsAttention: z.array(NeedsAttention),
    })
    .nullable(),
  alarms: z
    .object({
      /** Open and not acknowledged, by severity. */
      open: z.object({ critical: z.number().int(), warning: z.number().int() }),
      /** Newest first, at most 20. */
      events: z.array(DashboardAlarmEvent),
      /** Alarms that cannot do their work. */
      faulty: z.number().int(),
    })
    .nullable(),
  /** Reports that cannot do their work. */
  reports: z.object({ faulty: z.number().int() }).nullable(),
  /** The first steps of a new company, as far as the role may do it; null once all is done, or hidden, or the company is 90 days old. */
  firstSteps: z.array(z.object({ step: z.enum(firstSteps), isDone: z.boolean() })).nullable(),
  /** The sample device, where the person sees one: it is no step. */
  sampleDeviceId: Id.nullable(),
  wallets: z.array(WalletBalance).nullable(),
  licences: z
    .object({
      /** Devices that the licences which run now have room for, and how many of these places are taken. */
      places: z.number().int(),
      taken: z.number().int(),
      /** Devices in use whose licence is over, and those whose licence ends within 30 days. */
      expired: z.number().int(),
      endingSoon: z.number().int(),
      /** When the next one of a device in use ends. */
      nextEndAt: Instant.nullable(),
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
