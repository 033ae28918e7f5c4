import type { Limits } from '@isotherm/contract/device-limits.ts'
import type { ReportContents } from '@isotherm/contract/device-reports.ts'
import type { Excursion } from '@isotherm/contract/excursions.ts'
import type { GroupChart, GroupDevice, GroupTotals } from '@isotherm/contract/groups.ts'
import type { StatsOfDevice } from '@isotherm/contract/stats.ts'
import type { DeviceReader } from '../../core/devices/device-reader.ts'
import { loadIntervals, loadLimits } from '../../core/devices/rule-rows.ts'
import type { GroupReader } from '../../core/groups/group-reader.ts'
import { type Rules, rulesOf } from '../../domain/rules.ts'
import type { Context } from '../../platform/context.ts'
import { alarmOf, type ReportAlarm } from '../../reporting/report-alarm.ts'
import { headOf, type ReportHead } from '../../reporting/report-head.ts'
import type { GroupReportRow } from './queries.ts'

/** A device of the group with what its period comes to. */
export interface DevicePart {
  device: Pick<GroupDevice, 'id' | 'name' | 'tag' | 'imei' | 'limits'>
  stats: StatsOfDevice
  /** Only where its readings are listed. */
  rules: Rules | null
}

type PerMeasure<T> = { temperature: T; humidity: T }

/** Everything a group's report tells. Plain data: it goes to another process. */
export interface GroupReportContent extends ReportHead {
  group: string
  limits: Limits | null
  totals: PerMeasure<GroupTotals>
  /** Null where charts are not chosen. */
  chart: PerMeasure<Omit<GroupChart, 'lines'>> | null
  devices: DevicePart[]
  /** By device, each by its beginning. */
  excursions: Excursion[]
  /** How many of them the period has; `excursions` lists the first `maxExcursions`. */
  excursionCount: number
  /** By device, each by when it fired; the first `maxAlarms` of `alarmCount`. */
  alarms: ReportAlarm[]
  alarmCount: number
}

const maxExcursions = 5_000
const maxAlarms = 5_000
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
  const alarms: ReportAlarm[] = []
  let alarmCount = 0
  const has = (part: ReportContents) => head.contents.includes(part)
  for (const [done, { id, name, tag, imei, limits }] of members.entries()) {
    const stats = await reader.stats(ctx, id, period)
    const rules = has('readings')
      ? rulesOf(await loadLimits(ctx, Number(id)), await loadIntervals(ctx, Number(id)))
      : null
    devices.push({ device: { id, name, tag, imei, limits }, stats, rules })
    const count = stats.temperature.excursions.count + stats.humidity.excursions.count
    if (has('excursions') && count > 0 && excursions.length < maxExcursions)
      for await (const excursion of reader.excursions({ ...ctx, locale: head.locale }, id, period)) {
        excursions.push(excursion)
        if (excursions.length === maxExcursions) break
      }
    if (has('alarms'))
      for await (const trigger of reader.triggers(ctx, id, period)) {
        alarmCount += 1
        if (alarms.length < maxAlarms) alarms.push(alarmOf(trigger))
      }
    onProgress(Math.floor(((done + 1) / members.length) * gatheredPercent))
  }
  const band = async (measure: 'temperature' | 'humidity') =>
    bandOnly(await groups.chart(ctx, row.group_id, { ...period, measure, points: 600 }))
  return {
    ...head,
    group: group.name,
    limits: group.limits,
    totals: {
      temperature: await groups.totals(ctx, row.group_id, period, 'temperature'),
      humidity: await groups.totals(ctx, row.group_id, period, 'humidity'),
    },
    chart: has('charts') ? { temperature: await band('temperature'), humidity: await band('humidity') } : null,
    devices,
    excursions,
    excursionCount: devices.reduce(
      (sum, { stats }) => sum + stats.temperature.excursions.count + stats.humidity.excursions.count,
      0,
    ),
    alarms,
    alarmCount,
  }
}

/** The PDF shows only the min/max band, not one line per device. */
const bandOnly = ({ lines: _, ...chart }: GroupChart) => chart
