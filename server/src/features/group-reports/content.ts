import type { Locale, Period } from '@isotherm/contract/common.ts'
import type { Limits } from '@isotherm/contract/device-limits.ts'
import type { Excursion } from '@isotherm/contract/excursions.ts'
import type { GroupChart, GroupDevice, GroupTotals } from '@isotherm/contract/groups.ts'
import type { StatsOfDevice } from '@isotherm/contract/stats.ts'
import { findCompany } from '../../platform/auth/company.ts'
import type { Context } from '../../platform/http/context.ts'
import type { GroupReportRow } from './queries.ts'
import type { GroupReportSources } from './sources.ts'

/** A device of the group with what its period comes to. */
export interface DevicePart {
  device: Pick<GroupDevice, 'id' | 'name' | 'tag' | 'imei' | 'limits'>
  stats: StatsOfDevice
}

type PerMeasure<T> = { temperature: T; humidity: T }

/** Everything a group's report tells. Plain data: it goes to another process. */
export interface GroupReportContent {
  locale: Locale
  zone: string
  issuedAt: number
  issuedBy: string
  company: string
  group: string
  limits: Limits | null
  period: Period
  totals: PerMeasure<GroupTotals>
  chart: PerMeasure<Omit<GroupChart, 'lines'>>
  devices: DevicePart[]
  /** By device, each by its beginning. */
  excursions: Excursion[]
  /** How many of them the period has; `excursions` lists the first `maxExcursions`. */
  excursionCount: number
}

export const maxExcursions = 5_000

/** Gathers a report in the person's transaction, device by device; throws NOT_FOUND where they may not see the group. */
export async function gather(
  ctx: Context,
  sources: GroupReportSources,
  row: GroupReportRow,
  onProgress: (done: number, of: number) => void,
): Promise<GroupReportContent> {
  const period = { from: row.period_from.toISOString(), to: row.period_to.toISOString() }
  const group = await sources.group(ctx, row.group_id)
  const members = await allDevices(ctx, sources, row.group_id)
  const devices: DevicePart[] = []
  const excursions: Excursion[] = []
  for (const [done, { id, name, tag, imei, limits }] of members.entries()) {
    const stats = await sources.stats(ctx, id, period)
    devices.push({ device: { id, name, tag, imei, limits }, stats })
    const count = stats.temperature.excursions.count + stats.humidity.excursions.count
    if (count > 0 && excursions.length < maxExcursions)
      excursions.push(...(await excursionsOf(ctx, sources, id, period, maxExcursions - excursions.length)))
    onProgress(done + 1, members.length)
  }
  const [warm, moist] = [
    await sources.chart(ctx, row.group_id, period, 'temperature'),
    await sources.chart(ctx, row.group_id, period, 'humidity'),
  ]
  return {
    locale: row.locale as Locale,
    zone: row.timezone,
    issuedAt: ctx.clock.now().getTime(),
    issuedBy: row.requested_by_name,
    company: (await findCompany(ctx.tx, ctx.companyId)).name,
    group: group.name,
    limits: group.limits,
    period,
    totals: {
      temperature: await sources.totals(ctx, row.group_id, period, 'temperature'),
      humidity: await sources.totals(ctx, row.group_id, period, 'humidity'),
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

async function allDevices(ctx: Context, sources: GroupReportSources, id: string): Promise<GroupDevice[]> {
  const all: GroupDevice[] = []
  for (let page = 1; ; page++) {
    const { data, meta } = await sources.devices(ctx, id, page)
    all.push(...data)
    if (page >= meta.pageCount) return all
  }
}

async function excursionsOf(
  ctx: Context,
  sources: GroupReportSources,
  id: string,
  period: Period,
  most: number,
): Promise<Excursion[]> {
  const all: Excursion[] = []
  for (let page = 1; ; page++) {
    const { data, meta } = await sources.excursions(ctx, id, period, page)
    all.push(...data)
    if (page >= meta.pageCount || all.length >= most) return all.slice(0, most)
  }
}
