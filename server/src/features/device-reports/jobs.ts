import { Locale } from '@isotherm/contract/common.ts'
import { writeSpan } from '@isotherm/contract/times.ts'
import type { DeviceReader } from '../../core/devices/device-reader.ts'
import { type IssueKind, issueJobs, periodQuery } from '../../reporting/issue-jobs.ts'
import { alarmIdsOf } from '../../reporting/report-alarm.ts'
import { gather, type ReportContent } from './content.ts'
import { fileNameOf } from './present.ts'
import { seesIssue } from './queries.ts'
import { gatherRecord, type RecordContent } from './record-content.ts'
import type { RecordReader } from './record-reader.ts'

type Content = ReportContent | RecordContent
const isOfRecord = (content: Content): content is RecordContent => 'record' in content
const layouts = {
  device: new URL('./layout.ts', import.meta.url),
  record: new URL('./record-layout.ts', import.meta.url),
}

/** The jobs of the reports of a device or of a record, whichever a row is of. */
export const deviceReportJobs = (reader: DeviceReader, records: RecordReader) => issueJobs(kindOf(reader, records))

const kindOf = (reader: DeviceReader, records: RecordReader): IssueKind<'device_reports', Content> => ({
  table: 'device_reports',
  name: 'device-report',
  needs: 'devices.export',
  sees: async (ctx, row) =>
    (await seesIssue(ctx, row.id)) && (row.record_id === null || (await records.seesRecord(ctx, row.record_id))),
  gather(ctx, row) {
    if (row.record_id !== null) return gatherRecord(ctx, reader, records, row, row.record_id)
    if (row.device_id === null) throw new Error(`report ${row.id} is of nothing`)
    return gather(ctx, reader, row, row.device_id)
  },
  layoutOf: (content) => (isOfRecord(content) ? layouts.record : layouts.device),
  columns(content, { readings, dataSha256 }) {
    const devices = isOfRecord(content) ? content.devices : [content]
    return {
      company_name: content.company,
      device_name: isOfRecord(content) ? content.record.name : content.device.name,
      period_to: new Date(content.period.to),
      imeis: [...new Set(devices.flatMap(({ hardware }) => hardware.map(({ imei }) => imei)))],
      device_ids: isOfRecord(content) ? content.deviceIds : [content.deviceId],
      alarm_ids: alarmIdsOf(devices.flatMap(({ alarms }) => alarms)),
      readings,
      data_sha256: Buffer.from(dataSha256, 'hex'),
    }
  },
  fileNameOf,
  mail: {
    texts: 'deviceReports:mail',
    values(row, { config }) {
      return {
        device: row.device_name,
        ...writeSpan(Locale.parse(row.locale), row.timezone, row.period_from, row.period_to),
        verify: `${config.publicUrl}/verify-report/${row.report_key}`,
      }
    },
    page: (row) =>
      row.record_id === null ? `/devices/report/${row.device_id}?${periodQuery(row)}` : `/records/${row.record_id}`,
  },
})
