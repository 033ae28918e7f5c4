import { type DeviceStatus, type DeviceSummary, deviceStatuses } from '@isotherm/contract/devices.ts'
import type { Viewer } from '../../platform/context.ts'
import { countByStatus, tagsInUse } from './list-queries.ts'

/** Counts of the devices the person may see. */
export async function summarize(ctx: Viewer): Promise<DeviceSummary> {
  const counts = await countByStatus(ctx)
  const sum = (take: (row: (typeof counts)[number]) => boolean) =>
    counts.filter(take).reduce((total, row) => total + row.count, 0)
  const byStatus = Object.fromEntries(
    deviceStatuses.map((status) => [status, sum((row) => row.status === status)]),
  ) as Record<DeviceStatus, number>
  const heard = (row: (typeof counts)[number]) => row.status === 'live' || row.status === 'late'
  return {
    total: sum((row) => row.status !== 'decommissioned'),
    byStatus,
    inRange: sum((row) => heard(row) && !row.out),
    outOfRange: sum((row) => heard(row) && row.out),
    silent: byStatus.late + byStatus.offline,
    tags: await tagsInUse(ctx),
  }
}
