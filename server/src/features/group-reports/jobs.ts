import { Locale } from '@isotherm/contract/common.ts'
import { writeSpan } from '@isotherm/contract/times.ts'
import type { DeviceReader } from '../../core/devices/device-reader.ts'
import type { GroupReader } from '../../core/groups/group-reader.ts'
import { issueJobs, periodQuery } from '../../reporting/issue-jobs.ts'
import { alarmIdsOf } from '../../reporting/report-alarm.ts'
import { gather } from './content.ts'
import { fileNameOf } from './present.ts'
import { findReport } from './queries.ts'

const layout = new URL('./layout.ts', import.meta.url)

export const groupReportJobs = (reader: DeviceReader, groups: GroupReader) =>
  issueJobs({
    table: 'group_reports',
    name: 'group-report',
    needs: 'groups.export',
    sees: async (ctx, row) => (await findReport(ctx, row.id)) !== undefined,
    gather: (ctx, row, onProgress) => gather(ctx, reader, groups, row, onProgress),
    layoutOf: () => layout,
    columns: ({ group, devices, alarms }) => ({
      group_name: group,
      devices: devices.length,
      device_ids: devices.map(({ device }) => Number(device.id)),
      alarm_ids: alarmIdsOf(alarms),
    }),
    fileNameOf,
    mail: {
      texts: 'groupReports:mail',
      values: (row) => ({
        group: row.group_name,
        ...writeSpan(Locale.parse(row.locale), row.timezone, row.period_from, row.period_to),
      }),
      page: (row) => `/groups/${row.group_id}/group-chart?${periodQuery(row)}`,
    },
  })
