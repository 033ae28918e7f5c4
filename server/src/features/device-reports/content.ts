import type { Locale, Period } from '@isotherm/contract/common.ts'
import type { DevicePath } from '@isotherm/contract/device-history.ts'
import type { Device } from '@isotherm/contract/devices.ts'
import type { Excursion } from '@isotherm/contract/excursions.ts'
import { type Rules, rulesOf } from '../../domain/rules.ts'
import { findCompany } from '../../platform/auth/company.ts'
import { loadIntervals, loadLimits } from '../../platform/devices/rule-rows.ts'
import type { Context } from '../../platform/http/context.ts'
import type { DeviceTold } from '../../platform/paper/told.ts'
import { type EarlierIssue, earlierIssues, type Hardware, hardwareOf, type ReportRow } from './queries.ts'
import type { ReportSources } from './sources.ts'

/** Everything a report tells but its readings, which are read as they are written. Plain data: it goes to another process. */
export interface ReportContent extends DeviceTold {
  key: string
  rules: Rules
  issuedAt: number
  issuedBy: string
  verifyUrl: string
  company: string
  device: Pick<Device, 'name' | 'tag' | 'type' | 'intervalS'>
  hardware: Hardware[]
  path: DevicePath
  earlier: EarlierIssue[]
}

/** Gathers a report in the person's transaction; throws NOT_FOUND where they may not see the device. */
export async function gather(ctx: Context, sources: ReportSources, row: ReportRow): Promise<ReportContent> {
  const id = String(row.device_id)
  const period = { from: row.period_from.toISOString(), to: row.period_to.toISOString() }
  const device = await sources.device(ctx, id)
  const stats = await sources.stats(ctx, id, period)
  const limits = await loadLimits(ctx, row.device_id)
  return {
    key: row.report_key,
    companyId: ctx.companyId,
    deviceId: row.device_id,
    locale: row.locale as Locale,
    zone: row.timezone,
    issuedAt: ctx.clock.now().getTime(),
    issuedBy: row.requested_by_name,
    verifyUrl: `${ctx.services.config.publicUrl}/verify-report/${row.report_key}`,
    company: (await findCompany(ctx.tx, ctx.companyId)).name,
    device: { name: device.name, tag: device.tag, type: device.type, intervalS: device.intervalS },
    hardware: await hardwareOf(ctx, row.device_id, period),
    period,
    until: Date.parse(stats.period.to),
    rules: rulesOf(limits, await loadIntervals(ctx, row.device_id)),
    stats,
    excursions: await allExcursions(ctx, sources, id, period),
    ...(await drawn(ctx, sources, id, period)),
    earlier: await earlierIssues(ctx, row),
  }
}

async function drawn(ctx: Context, sources: ReportSources, id: string, period: Period) {
  const chart = await sources.chart(ctx, id, period)
  return { chart, limits: chart.limits, path: await sources.path(ctx, id, period) }
}

async function allExcursions(ctx: Context, sources: ReportSources, id: string, period: Period): Promise<Excursion[]> {
  const all: Excursion[] = []
  for (let page = 1; ; page++) {
    const { data, meta } = await sources.excursions(ctx, id, period, page)
    all.push(...data)
    if (page >= meta.pageCount) return all
  }
}
