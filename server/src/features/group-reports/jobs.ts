import type { DeviceReader } from '../../core/devices/device-reader.ts'
import type { GroupReader } from '../../core/groups/group-reader.ts'
import { issueJobs, periodQuery } from '../../reporting/issue-jobs.ts'
import { clockOf } from '../../reporting/zone.ts'
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
    columns: ({ group, devices }) => ({
      group_name: group,
      devices: devices.length,
      device_ids: devices.map(({ device }) => Number(device.id)),
    }),
    fileNameOf,
    mail: {
      texts: 'groupReports:mail',
      values(row) {
        const clock = clockOf(row.timezone)
        return {
          group: row.group_name,
          from: clock.minute(row.period_from.getTime()),
          to: clock.minute(row.period_to.getTime()),
        }
      },
      page: (row) => `/groups/${row.group_id}/group-chart?${periodQuery(row)}`,
    },
  })
