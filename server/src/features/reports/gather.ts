import type { Locale, Period } from '@isotherm/contract/common.ts'
import type { ReportFormat } from '@isotherm/contract/device-reports.ts'
import { type ReportContents, type ReportRun, reportLimits } from '@isotherm/contract/reports.ts'
import type { Trigger } from '@isotherm/contract/triggers.ts'
import { sql } from 'kysely'
import { rulesOf } from '../../domain/rules.ts'
import { findCompany } from '../../platform/auth/company.ts'
import { inTenant } from '../../platform/db/transaction.ts'
import type { DeviceReader } from '../../platform/devices/device-reader.ts'
import { loadIntervals, loadLimits } from '../../platform/devices/rule-rows.ts'
import { visibleSql } from '../../platform/devices/visible-devices.ts'
import { seesDevicesSql, visibleGroupSql } from '../../platform/groups/visible-groups.ts'
import type { Context } from '../../platform/http/context.ts'
import type { Services } from '../../platform/services.ts'
import type { RunRow } from './run-job.ts'
import { cadenceOf } from './schedule.ts'
import type { DeviceDetail, DeviceOverview, Output, RunOrder } from './writer/order.ts'

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
  reportId: string
  name: string
  cadence: 'daily' | 'weekly' | 'monthly'
  contents: ReportContents[]
  formats: ReportFormat[]
  locale: Locale
  runsAs: string
  runsAsName: string
}

export async function settingsOf(services: Services, run: RunRow): Promise<RunSettings> {
  const row = await inTenant(services.pool, run.company_id, ({ tx }) =>
    tx
      .selectFrom('reports')
      .selectAll()
      .where('company_id', '=', run.company_id)
      .where('id', '=', run.report_id)
      .where('archived_at', 'is', null)
      .executeTakeFirst(),
  )
  if (!row) throw new Refused('notAllowed')
  return {
    reportId: row.id,
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

interface RunDevice extends Omit<DeviceOverview, 'stats'> {}

/** The devices a run tells of, by name: those named and those of its groups that its owner may see and were in use. */
async function devicesOf(ctx: Context, settings: RunSettings, run: RunRow): Promise<RunDevice[]> {
  const { rows } = await sql<RunDevice>`
    select d.id::text as id, d.name, d.tag, d.type, d.visibility = 'private' as "isPrivate",
      (select coalesce(array_agg(distinct a.imei), '{}') from assignments a where a.company_id = d.company_id and a.device_id = d.id
        and a.valid_from < ${run.period_to} and (a.valid_to is null or a.valid_to > ${run.period_from})) as imeis
    from devices d where ${visibleSql(ctx)} and (d.decommissioned_at is null or d.decommissioned_at > ${run.period_from})
      and d.id in (
        select x.device_id from report_targets x
          where x.company_id = ${ctx.companyId} and x.report_id = ${settings.reportId}::int8 and x.device_id is not null
            and ${ctx.can('devices.view')}::bool
        union select m.device_id from report_targets x
          join groups g on g.company_id = x.company_id and g.id = x.group_id
          join group_devices m on m.company_id = g.company_id and m.group_id = g.id
          where x.company_id = ${ctx.companyId} and x.report_id = ${settings.reportId}::int8
            and ${visibleGroupSql(ctx)} and ${seesDevicesSql(ctx)})
    order by lower(d.name), d.id limit ${reportLimits.devices + 1}`.execute(ctx.tx)
  return rows
}

/** Every device with its figures: what a run's first pages tell. */
export async function overviewOf(
  ctx: Context,
  reader: DeviceReader,
  settings: RunSettings,
  run: RunRow,
  onShare: (share: number) => void,
): Promise<DeviceOverview[]> {
  const found = await devicesOf(ctx, settings, run)
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
  made: { devices: DeviceOverview[]; outputs: Output[]; snapshot: string },
): RunOrder {
  const { config, pool } = ctx.services
  return {
    ...made,
    databaseUrl: String(pool.options.connectionString),
    companyId: ctx.companyId,
    locale: settings.locale,
    zone: run.timezone,
    name: settings.name,
    cadence: settings.cadence,
    contents: settings.contents,
    period: periodOf(run),
    issuedAt: ctx.clock.now().getTime(),
    issuedBy: run.requested_by ?? settings.runsAsName,
    verifyBase: `${config.publicUrl}/verify-report/`,
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
    excursions: excursions ? await Array.fromAsync(reader.excursions(ctx, device.id, period)) : [],
    alarms: has('alarms') ? await Array.fromAsync(reader.triggers(ctx, device.id, period), alarmOf) : [],
  }
}

const alarmOf = (one: Trigger) => ({
  alarm: one.alarmName,
  condition: one.condition,
  fence: one.fence,
  severity: one.severity,
  state: one.state,
  openedAt: one.openedAt,
  normalAt: one.normalAt,
  limit: one.limit,
  peak: one.peak,
  acknowledgedBy: one.acknowledgedBy?.name ?? null,
  resolvedBy: one.resolvedBy?.name ?? null,
  note: one.note,
})
