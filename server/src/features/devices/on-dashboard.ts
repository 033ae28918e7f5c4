import type {
  Dashboard,
  DashboardEvent,
  DashboardExcursion,
  DashboardHeading,
  NeedsAttention,
} from '@isotherm/contract/dashboard.ts'
import { presentExcursion } from '../../core/devices/present-excursion.ts'
import { hundredths } from '../../domain/measures.ts'
import type { Context } from '../../platform/context.ts'
import {
  type AttentionRow,
  attentionWanted,
  type EventRow,
  excursionsNow,
  latestEvents,
  type OpenExcursionRow,
} from './dashboard-queries.ts'
import { summarize } from './summary.ts'

type HeadingOut = (ctx: Context) => Promise<DashboardHeading[]>

/** The dashboard's part about devices; null for a role that may not see them. The app hands in which are heading out. */
export const devicesOnDashboard =
  (headingOut: HeadingOut) =>
  async (ctx: Context): Promise<Dashboard['devices']> => {
    if (!ctx.can('devices.view')) return null
    const [summary, open, events, others, heading] = await Promise.all([
      summarize(ctx),
      excursionsNow(ctx),
      latestEvents(ctx),
      attentionWanted(ctx),
      headingOut(ctx),
    ])
    return {
      summary,
      excursionsNow: open.map(presentOpen),
      headingOut: heading,
      events: events.map(presentEvent),
      needsAttention: [...outOfRange(open), ...others.map(presentAttention)],
    }
  }

const presentOpen = (row: OpenExcursionRow): DashboardExcursion => ({
  ...presentExcursion(row),
  deviceId: String(row.device_id),
  deviceName: row.device_name,
  value: hundredths(row.value),
  limit: hundredths(row.limit),
})

const presentEvent = (row: EventRow): DashboardEvent => ({
  kind: row.kind,
  at: row.at.toISOString(),
  deviceId: String(row.device_id),
  deviceName: row.device_name,
  measure: row.measure,
  side: row.side,
  peak: hundredths(row.peak),
})

const presentAttention = (row: AttentionRow): NeedsAttention => ({
  kind: row.kind,
  deviceId: String(row.device_id),
  deviceName: row.device_name,
  since: row.since.toISOString(),
  value: row.value,
})

/** One line per device, though it may be out of both its limits: of the excursions, the longer. */
function outOfRange(open: readonly OpenExcursionRow[]): NeedsAttention[] {
  const byDevice = new Map<number, OpenExcursionRow>()
  for (const row of open) if (!byDevice.has(row.device_id)) byDevice.set(row.device_id, row)
  return [...byDevice.values()].map((row) => ({
    kind: 'outOfRange',
    deviceId: String(row.device_id),
    deviceName: row.device_name,
    since: row.start_at.toISOString(),
    value: hundredths(row.value),
  }))
}
