import type { Period } from '@isotherm/contract/common.ts'
import type { ReportChoice, ReportContents, ReportFormat } from '@isotherm/contract/device-reports.ts'
import { localDayOf } from '@isotherm/contract/zone-times.ts'
import type { Selectable } from 'kysely'
import { z } from 'zod'
import { usersAmong, zoneOf } from '../core/people/users.ts'
import { refuseFurtherReport } from '../core/quotas/waiting-reports.ts'
import type { AuditEntry } from '../platform/audit/audit.ts'
import type { Context } from '../platform/context.ts'
import type {
  ColdTreatmentRecords,
  DeviceReports,
  GroupReports,
  OrderClaims,
  ShipmentReports,
} from '../platform/db/schema.ts'
import { AppError, InvalidInput } from '../platform/errors/app-error.ts'
import { storedFile } from '../platform/http/stored-file.ts'
import { contentTypes } from './content-types.ts'
import { checkContents } from './contents.ts'

export const IssueJob = z.object({ companyId: z.number().int(), reportId: z.string() })
export type IssueJob = z.infer<typeof IssueJob>

/** The reports a person asks for, once, by the table that keeps them. */
export interface Issued {
  device_reports: Selectable<DeviceReports>
  group_reports: Selectable<GroupReports>
  order_claims: Selectable<OrderClaims>
  cold_treatment_records: Selectable<ColdTreatmentRecords>
  shipment_reports: Selectable<ShipmentReports>
}
export type IssuedTable = keyof Issued
export type IssuedRow = Issued[IssuedTable]
export type Change<T extends IssuedTable> = Partial<Omit<Issued[T], 'company_id' | 'id'>>

/** Which report somebody asks for, and who of the team gets it by mail: default they themselves. */
export interface ReportOrder extends Period, ReportChoice {
  format: ReportFormat
}

/**
 * The first columns of every such report; `usual`: its contents if none were chosen. It tells its times in the time zone of who asks. Throws
 * REPORTS_WAITING, QUOTA_EXCEEDED, and VALIDATION for contents that the person may not see or a recipient who is not in the team.
 */
export async function newIssue(
  ctx: Context,
  { from, to, format, recipients, locale = ctx.locale, ...order }: ReportOrder,
  usual: ReportContents[],
) {
  const contents = order.contents ?? usual
  checkContents(ctx, contents)
  await refuseFurtherReport(ctx)
  await refuseStrangers(ctx, recipients ?? [])
  return {
    company_id: ctx.companyId,
    period_from: new Date(from),
    period_to: new Date(to),
    timezone: await zoneOf(ctx),
    locale,
    contents,
    format,
    requested_by: ctx.person.id,
    requested_by_name: ctx.person.fullname,
    recipients: recipients ?? null,
    created_at: ctx.clock.now(),
  }
}

async function refuseStrangers(ctx: Context, ids: readonly string[]) {
  const known = await usersAmong(ctx, ids)
  const problems = ids.flatMap((id, index) =>
    known.has(id) ? [] : [{ path: `recipients.${index}`, message: { key: 'fields.rule.unknownItem', values: {} } }],
  )
  if (problems.length > 0) throw new InvalidInput(problems)
}

/** The name of the downloaded file: plain letters only, whatever its subject is called. Days are those of the report; the last one is that of its last millisecond. */
export function fileNameOf(subject: string, { period_from, period_to, timezone, format }: IssuedRow): string {
  const [first, last] = [period_from.getTime(), period_to.getTime() - 1].map((at) => localDayOf(at, timezone))
  return `isotherm-${subject}-${first}-${last}.${format}`
}

/** The file of a report that is ready, as `entry` notes; throws NOT_FOUND for one that is not, or whose file is gone. */
export function download(ctx: Context, row: IssuedRow, filename: string, entry: AuditEntry) {
  if (!row.file_key) throw new AppError('NOT_FOUND')
  ctx.audit({ ...entry, after: { report: row.id, ...entry.after } })
  return storedFile(ctx.services.config, row.file_key, { filename, contentType: contentTypes[row.format] })
}
