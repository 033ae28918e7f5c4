import type { DevicePath } from '@isotherm/contract/device-history.ts'
import type { Device } from '@isotherm/contract/devices.ts'
import type { DeviceReader } from '../../core/devices/device-reader.ts'
import { loadIntervals, loadLimits } from '../../core/devices/rule-rows.ts'
import { type Rules, rulesOf } from '../../domain/rules.ts'
import type { Context } from '../../platform/context.ts'
import type { DeviceReportData } from '../../reporting/device-report-data.ts'
import { alarmOf, type ReportAlarm } from '../../reporting/report-alarm.ts'
import { headOf, type Proof, proofOf, type ReportHead } from '../../reporting/report-head.ts'
import { type EarlierIssue, earlierIssues, type Hardware, hardwareOf, type ReportRow } from './queries.ts'

/** Everything a report of a device tells but its readings, which are read as they are written. */
export interface ReportContent extends ReportHead, Proof, DeviceReportData {
  rules: Rules
  device: Pick<Device, 'name' | 'tag' | 'type' | 'sampleUntil'>
  hardware: Hardware[]
  path: DevicePath
  earlier: EarlierIssue[]
  alarms: ReportAlarm[]
}

/** Gathers a device's report in the person's transaction; throws NOT_FOUND where they may not see the device. */
export async function gather(
  ctx: Context,
  reader: DeviceReader,
  row: ReportRow,
  deviceId: number,
): Promise<ReportContent> {
  const id = String(deviceId)
  const head = await headOf(ctx, row)
  const { period } = head
  const { name, tag, type, sampleUntil } = await reader.device(ctx, id)
  const stats = await reader.stats(ctx, id, period)
  const chart = await reader.chart(ctx, id, { ...period, points: 900 })
  return {
    ...head,
    ...proofOf(ctx, row.report_key),
    deviceId,
    device: { name, tag, type, sampleUntil },
    hardware: await hardwareOf(ctx, deviceId, period),
    until: Date.parse(stats.period.to),
    rules: rulesOf(await loadLimits(ctx, deviceId), await loadIntervals(ctx, deviceId)),
    stats,
    excursions: await Array.fromAsync(reader.excursions({ ...ctx, locale: head.locale }, id, period)),
    chart,
    limits: chart.limits,
    path: await reader.path(ctx, id, { ...period, points: 1500 }),
    alarms: head.contents.includes('alarms') ? await Array.fromAsync(reader.triggers(ctx, id, period), alarmOf) : [],
    earlier: row.device_id === null ? [] : await earlierIssues(ctx, row),
  }
}
