import type { Locale, Period } from '@isotherm/contract/common.ts'
import type { ReportContents, ReportFormat } from '@isotherm/contract/device-reports.ts'
import { type ReportRun, reportLimits } from '@isotherm/contract/reports.ts'
import { findCompany } from '../../core/company/company.ts'
import type { DeviceReader } from '../../core/devices/device-reader.ts'
import { loadIntervals, loadLimits } from '../../core/devices/rule-rows.ts'
import { rulesOf } from '../../domain/rules.ts'
import type { Context } from '../../platform/context.ts'
import { inTenant } from '../../platform/db/transaction.ts'
import type { Services } from '../../platform/services.ts'
import { alarmOf } from '../../reporting/report-alarm.ts'
import type { RunRow } from './run-job.ts'
import { devicesOfRun, reportOfRun } from './run-queries.ts'
import { cadenceOf } from './schedule.ts'
import type { DeviceDetail, DeviceOverview, RunOrder } from './writer/order.ts'

/** A run that cannot be, however often it is tried. */
export class Refused extends Error {
  readonly failure: NonNullable<ReportRun['failure']>
  constructor(failure: NonNullable<ReportRun['failure']>) {
    super(failure)
    this.failure = failure
  }
}

/** A report as a run of it needs it. */
export interface RunSettings {
  name: string
  cadence: 'daily' | 'weekly' | 'monthly'
  contents: ReportContents[]
  formats: ReportFormat[]
  locale: Locale
  runsAs: string
  runsAsName: string
}

export async function settingsOf(services: Services, run: RunRow): Promise<RunSettings> {
  const row = await inTenant(services.pool, run.company_id, ({ tx }) => reportOfRun(tx, run))
  if (!row) throw new Refused('notAllowed')
  return {
    name: row.name,
    cadence: cadenceOf(run),
    contents: row.contents as ReportContents[],
    formats: row.formats as ReportFormat[],
    locale: row.locale as Locale,
    runsAs: row.runs_as,
    runsAsName: row.runs_as_name,
  }
}

/** The period for the calls: their periods include their end. */
const periodOf = (run: RunRow): Period => ({
  from: run.period_from.toISOString(),
  to: new Date(run.period_to.getTime() - 1).toISOString(),
})

/** Every device with its figures: what a run's first pages tell. */
export async function overviewOf(
  ctx: Context,
  reader: DeviceReader,
  run: RunRow,
  onShare: (share: number) => void,
): Promise<DeviceOverview[]> {
  const found = await devicesOfRun(ctx, run, reportLimits.devices + 1)
  if (found.length === 0) throw new Refused('noDevices')
  if (found.length > reportLimits.devices) throw new Refused('tooManyDevices')
  const period = periodOf(run)
  const devices: DeviceOverview[] = []
  for (const device of found) {
    devices.push({ ...device, stats: await reader.stats(ctx, device.id, period) })
    onShare(devices.length / found.length)
  }
  return devices
}

export function orderOf(
  ctx: Context,
  settings: RunSettings,
  run: RunRow,
  made: Pick<RunOrder, 'devices' | 'outputs' | 'logo'>,
): RunOrder {
  return {
    ...made,
    locale: settings.locale,
    zone: run.timezone,
    name: settings.name,
    cadence: settings.cadence,
    contents: settings.contents,
    period: periodOf(run),
    issuedAt: ctx.clock.now().getTime(),
    issuedBy: run.requested_by ?? settings.runsAsName,
    verifyBase: `${ctx.services.config.publicUrl}/verify-report/`,
  }
}

/** Everything of a device that is chosen, but its readings. */
export async function detailOf(
  ctx: Context,
  reader: DeviceReader,
  { contents, period, locale, zone }: RunOrder,
  device: DeviceOverview,
): Promise<DeviceDetail> {
  const has = (part: ReportContents) => contents.includes(part)
  const chart = await reader.chart(ctx, device.id, { ...period, points: 450 })
  const excursions = has('excursions') || has('charts')
  const rules = rulesOf(await loadLimits(ctx, Number(device.id)), await loadIntervals(ctx, Number(device.id)))
  return {
    ...device,
    company: (await findCompany(ctx.tx, ctx.companyId)).name,
    companyId: ctx.companyId,
    deviceId: Number(device.id),
    locale,
    zone,
    period,
    until: Date.parse(device.stats.period.to),
    limits: chart.limits,
    chart,
    rules,
    excursions: excursions ? await Array.fromAsync(reader.excursions({ ...ctx, locale }, device.id, period)) : [],
    alarms: has('alarms') ? await Array.fromAsync(reader.triggers(ctx, device.id, period), alarmOf) : [],
  }
}
