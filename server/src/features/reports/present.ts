import type { Report, ReportRun } from '@isotherm/contract/reports.ts'
import { type DueRun, nextRun } from '../../domain/report-schedule.ts'
import { presentPeriod } from '../../reporting/present.ts'
import type { FileLink } from './links.ts'
import type { ReportRow, RunRow } from './queries.ts'
import { scheduleOf } from './schedule.ts'

const iso = (at: number | string | Date) => new Date(at).toISOString()

function upcoming(row: ReportRow): DueRun | null {
  return row.next_run_at && nextRun(scheduleOf(row), row.next_run_at.getTime() - 1)
}

export function presentReport(row: ReportRow): Report {
  const next = upcoming(row)
  const last = row.last_run
  return {
    id: row.id,
    name: row.name,
    cadence: row.cadence as Report['cadence'],
    weekday: row.weekday,
    monthDay: row.month_day,
    time: row.run_time,
    timezone: row.timezone,
    devices: row.devices,
    groups: row.groups,
    contents: row.contents as Report['contents'],
    formats: row.formats as Report['formats'],
    recipients: row.recipients.map(({ user_id, hears_private, ...each }) => ({
      ...each,
      userId: user_id,
      hearsPrivate: hears_private,
    })),
    privateDevices: row.private_devices,
    privateDeviceCount: row.private_device_count,
    locale: row.locale as Report['locale'],
    faults: row.faults as Report['faults'],
    paused: row.next_run_at === null,
    nextRunAt: row.next_run_at?.toISOString() ?? null,
    nextPeriod: next && { from: iso(next.period.from), to: iso(next.period.to) },
    lastRun: last && {
      id: last.id,
      state: last.state as ReportRun['state'],
      progress: last.progress,
      dueAt: iso(last.due_at),
    },
    owner: row.runs_as_name,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    version: row.version,
  }
}

/** The audit snapshot of a report; a recipient without a name is known by their address. */
export function auditSnapshot(row: ReportRow) {
  const { id, faults, nextRunAt, nextPeriod, lastRun, createdAt, updatedAt, version, ...report } = presentReport(row)
  const { weekday, monthDay, privateDevices, privateDeviceCount, ...kept } = report
  return {
    ...kept,
    ...(kept.cadence === 'weekly' ? { weekday } : {}),
    ...(kept.cadence === 'monthly' ? { monthDay } : {}),
    recipients: kept.recipients.map(({ hearsPrivate, ...each }) => ({ ...each, name: each.name ?? each.email })),
    vouchedFor: kept.recipients.flatMap((each) => (each.userId === null && each.hearsPrivate ? each.email : [])).sort(),
  }
}

/** `links` by the id of the file; a file without one is not for the caller. A run of what they do not see tells them that it was. */
export const presentRun = (row: RunRow, links: ReadonlyMap<string, FileLink>): ReportRun => ({
  id: row.id,
  kind: row.kind as ReportRun['kind'],
  period: presentPeriod(row),
  timezone: row.timezone,
  state: row.state as ReportRun['state'],
  progress: row.progress,
  failure: row.failure as ReportRun['failure'],
  requestedBy: row.requested_by,
  dueAt: row.due_at.toISOString(),
  finishedAt: row.finished_at?.toISOString() ?? null,
  devices: row.sees_all ? row.devices : null,
  readings: row.sees_all ? row.readings : null,
  files: (row.sees_all ? row.files : []).map((file) => ({
    id: file.id,
    key: file.report_key,
    name: file.file_name,
    format: file.format as ReportRun['files'][number]['format'],
    sizeBytes: Number(file.size_bytes),
    sha256: file.file_sha256,
    url: links.get(file.id)?.url ?? null,
    expiresAt: links.get(file.id)?.expiresAt ?? null,
    removedAt: file.removed_at && iso(file.removed_at),
  })),
  mails: row.mails,
})
