import type { Locale, Period } from '@isotherm/contract/common.ts'
import type { DevicePath } from '@isotherm/contract/device-history.ts'
import type { Device } from '@isotherm/contract/devices.ts'
import type { RecordDetails } from '@isotherm/contract/records.ts'
import type { Verdict } from '@isotherm/contract/stats.ts'
import { type Rules, rulesOf } from '../../domain/rules.ts'
import { findCompany } from '../../platform/auth/company.ts'
import type { DeviceReader } from '../../platform/devices/device-reader.ts'
import { loadIntervals, loadLimits } from '../../platform/devices/rule-rows.ts'
import type { Context } from '../../platform/http/context.ts'
import type { DeviceReportData } from '../../reporting/device-report-data.ts'
import { type EarlierIssue, earlierIssues, type Hardware, hardwareOf, type ReportRow } from './queries.ts'
import type { RecordReader } from './record-reader.ts'

/** Everything a report tells but its readings, which are read as they are written. Plain data: it goes to another process. */
export interface ReportContent extends DeviceReportData {
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

/** Gathers a device's report in the person's transaction; throws NOT_FOUND where they may not see the device. */
export async function gather(
  ctx: Context,
  reader: DeviceReader,
  row: ReportRow,
  deviceId: number,
): Promise<ReportContent> {
  const id = String(deviceId)
  const period = { from: row.period_from.toISOString(), to: row.period_to.toISOString() }
  const device = await reader.device(ctx, id)
  const stats = await reader.stats(ctx, id, period)
  const limits = await loadLimits(ctx, deviceId)
  return {
    key: row.report_key,
    companyId: ctx.companyId,
    deviceId,
    locale: row.locale as Locale,
    zone: row.timezone,
    issuedAt: ctx.clock.now().getTime(),
    issuedBy: row.requested_by_name,
    verifyUrl: `${ctx.services.config.publicUrl}/verify-report/${row.report_key}`,
    company: (await findCompany(ctx.tx, ctx.companyId)).name,
    device: { name: device.name, tag: device.tag, type: device.type, intervalS: device.intervalS },
    hardware: await hardwareOf(ctx, deviceId, period),
    period,
    until: Date.parse(stats.period.to),
    rules: rulesOf(limits, await loadIntervals(ctx, deviceId)),
    stats,
    excursions: await Array.fromAsync(reader.excursions(ctx, id, period)),
    ...(await drawn(ctx, reader, id, period)),
    earlier: row.device_id === null ? [] : await earlierIssues(ctx, row),
  }
}

async function drawn(ctx: Context, reader: DeviceReader, id: string, period: Period) {
  const chart = await reader.chart(ctx, id, { ...period, points: 900 })
  return { chart, limits: chart.limits, path: await reader.path(ctx, id, { ...period, points: 1500 }) }
}

/** The content of a record's report: the record itself, then each of its devices. */
export interface RecordContent {
  key: string
  companyId: number
  locale: Locale
  zone: string
  issuedAt: number
  issuedBy: string
  verifyUrl: string
  company: string
  period: Period
  record: RecordDetails
  verdict: Verdict
  devices: ReportContent[]
  /** The devices whose measurements it tells of: its own, and those that its budget counts. */
  deviceIds: number[]
}

/** Gathers a record's report; throws NOT_FOUND where the person may not see it. Its period is that of the record by now. */
export async function gatherRecord(
  ctx: Context,
  reader: DeviceReader,
  records: RecordReader,
  row: ReportRow,
  recordId: string,
): Promise<RecordContent> {
  const { record, verdict, deviceIds } = await records.record(ctx, recordId)
  const period = { from: record.from, to: record.to }
  const ofRecord = { ...row, period_from: new Date(period.from), period_to: new Date(period.to) }
  const devices: ReportContent[] = []
  for (const { id } of record.devices) devices.push(await gather(ctx, reader, ofRecord, Number(id)))
  return {
    key: row.report_key,
    companyId: ctx.companyId,
    locale: row.locale as Locale,
    zone: row.timezone,
    issuedAt: ctx.clock.now().getTime(),
    issuedBy: row.requested_by_name,
    verifyUrl: `${ctx.services.config.publicUrl}/verify-report/${row.report_key}`,
    company: (await findCompany(ctx.tx, ctx.companyId)).name,
    period,
    record,
    verdict,
    devices,
    deviceIds,
  }
}

export const isOfRecord = (content: ReportContent | RecordContent): content is RecordContent => 'record' in content
/** The devices a report tells of. */
export const partsOf = (content: ReportContent | RecordContent): ReportContent[] =>
  isOfRecord(content) ? content.devices : [content]
/** The ids of the devices whose measurements it tells of. */
export const deviceIdsOf = (content: ReportContent | RecordContent): number[] =>
  isOfRecord(content) ? content.deviceIds : [content.deviceId]
/** The name of its subject. */
export const nameOf = (content: ReportContent | RecordContent): string =>
  isOfRecord(content) ? content.record.name : content.device.name
