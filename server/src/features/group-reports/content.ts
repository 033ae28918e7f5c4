import type { Limits } from '@isotherm/contract/device-limits.ts'
import type { Excursion } from '@isotherm/contract/excursions.ts'
import type { GroupChart, GroupDevice, GroupTotals } from '@isotherm/contract/groups.ts'
import type { StatsOfDevice } from '@isotherm/contract/stats.ts'
import type { DeviceReader } from '../../core/devices/device-reader.ts'
import type { GroupReader } from '../../core/groups/group-reader.ts'
import type { Context } from '../../platform/context.ts'
import { headOf, type ReportHead } from '../../reporting/report-head.ts'
import type { GroupReportRow } from './queries.ts'

/** A device of the group with what its period comes to. */
export interface DevicePart {
  device: Pick<GroupDevice, 'id' | 'name' | 'tag' | 'imei' | 'limits'>
  stats: StatsOfDevice
}

type PerMeasure<T> = { temperature: T; humidity: T }

/** Everything a group's report tells. Plain data: it goes to another process. */
export interface GroupReportContent extends ReportHead {
  group: string
  limits: Limits | null
  totals: PerMeasure<GroupTotals>
  chart: PerMeasure<Omit<GroupChart, 'lines'>>
  devices: DevicePart[]
  /** By device, each by its beginning. */
  excursions: Excursion[]
  /** How many of them the period has; `excursions` lists the first `maxExcursions`. */
  excursionCount: number
}

export const maxExcursions = 5_000
/** Gathering is most of the work; what is left is writing. */
const gatheredPercent = 90

/** Gathers a report in the person's transaction, device by device; throws NOT_FOUND where they may not see the group. */
export async function gather(
  ctx: Context,
  reader: DeviceReader,
  groups: GroupReader,
  row: GroupReportRow,
  onProgress: (percent: number) => void,
): Promise<GroupReportContent> {
  const head = await headOf(ctx, row)
  const { period } = head
  const group = await groups.group(ctx, row.group_id)
  const members = await groups.devices(ctx, row.group_id)
  const devices: DevicePart[] = []
  const excursions: Excursion[] = []
  for (const [done, { id, name, tag, imei, limits }] of members.entries()) {
    const stats = await reader.stats(ctx, id, period)
    devices.push({ device: { id, name, tag, imei, limits }, stats })
    const count = stats.temperature.excursions.count + stats.humidity.excursions.count
    if (count > 0 && excursions.length < maxExcursions)
      for await (const excursion of reader.excursions({ ...ctx, locale: head.locale }, id, period)) {
        excursions.push(excursion)
        if (excursions.length === maxExcursions) break
      }
    onProgress(Math.floor(((done + 1) / members.length) * gatheredPercent))
  }
  const [warm, moist] = [
    await groups.chart(ctx, row.group_id, { ...period, measure: 'temperature', points: 600 }),
    await groups.chart(ctx, row.group_id, { ...period, measure: 'humidity', points: 600 }),
  ]
  return {
    ...head,
    group: group.name,
    limits: group.limits,
    totals: {
      temperature: await groups.totals(ctx, row.group_id, period, 'temperature'),
      humidity: await groups.totals(ctx, row.group_id, period, 'humidity'),
    },
    chart: { temperature: bandOnly(warm), humidity: bandOnly(moist) },
    devices,
    excursions,
    excursionCount: devices.reduce(
      (sum, { stats }) => sum + stats.temperature.excursions.count + stats.humidity.excursions.count,
      0,
    ),
  }
}

/** The PDF shows only the min/max band, not one line per device. */
const bandOnly = ({ lines: _, ...chart }: GroupChart) => chart
