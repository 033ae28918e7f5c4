import type { ReportFormat } from '@isotherm/contract/device-reports.ts'
import { onBehalf } from '../../platform/auth/on-behalf.ts'
import type { DeviceReader } from '../../platform/devices/device-reader.ts'
import type { GroupReader } from '../../platform/groups/group-reader.ts'
import { AppError } from '../../platform/http/app-error.ts'
import { buildIssued, type IssueKind, mailIssued, periodQuery } from '../../reporting/issue-jobs.ts'
import { clockOf } from '../../reporting/zone.ts'
import { gather } from './content.ts'
import { fileNameOf } from './present.ts'
import { findReport } from './queries.ts'
import { runWriter } from './run-writer.ts'

/** Gathering is most of the work; what is left is writing. */
const gatheredPercent = 90

const kind: IssueKind<'group_reports'> = {
  table: 'group_reports',
  name: 'group-report',
  needs: 'groups.export',
  sees: async (ctx, row) => (await findReport(ctx, row.id)) !== undefined,
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
}

export const mailGroupReport = mailIssued(kind)

export const buildGroupReport = (reader: DeviceReader, groups: GroupReader) =>
  buildIssued(kind, mailGroupReport, async (services, row, path, onProgress) => {
    const who = { companyId: row.company_id, userId: row.requested_by }
    const tell = everyFivePercent(onProgress)
    const content = await onBehalf(services, who, async (ctx) =>
      ctx.can(kind.needs) ? gather(ctx, reader, groups, row, tell) : null,
    )
    if (!content) throw new AppError('NOT_FOUND')
    const written = await runWriter({ content, format: row.format as ReportFormat, path })
    return {
      ...written,
      asOf: content.issuedAt,
      values: {
        group_name: content.group,
        devices: content.devices.length,
        device_ids: content.devices.map(({ device }) => Number(device.id)),
      },
    }
  })

function everyFivePercent(onProgress: (percent: number) => void) {
  let last = 0
  return (done: number, of: number) => {
    const progress = Math.floor((done / of) * gatheredPercent)
    if (progress < last + 5) return
    last = progress
    onProgress(progress)
  }
}
