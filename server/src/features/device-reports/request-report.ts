import { randomBytes } from 'node:crypto'
import type { Input } from '@isotherm/contract/call.ts'
import type { deviceReports } from '@isotherm/contract/device-reports.ts'
import { findCompany } from '../../platform/auth/company.ts'
import { deviceIdOf, findVisible } from '../../platform/devices/visible-devices.ts'
import type { Context } from '../../platform/http/context.ts'
import type { Job } from '../../platform/jobs/jobs.ts'
import type { ReportJob } from './jobs.ts'
import type { ReportRow } from './queries.ts'

/** Asks for a report: it is built in the background and mailed to who asked, in their language and time zone. */
export async function requestReport(
  ctx: Context,
  job: Job<ReportJob>,
  { params, body }: Input<typeof deviceReports.request>,
): Promise<ReportRow> {
  const device = await findVisible(ctx, deviceIdOf(params.id))
  const { timezone } = await ctx.tx
    .selectFrom('users')
    .select('timezone')
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', ctx.person.id)
    .executeTakeFirstOrThrow()
  const row = await ctx.tx
    .insertInto('device_reports')
    .values({
      company_id: ctx.companyId,
      report_key: randomBytes(16).toString('hex'),
      device_id: device.id,
      device_name: device.name,
      company_name: (await findCompany(ctx.tx, ctx.companyId)).name,
      period_from: new Date(body.from),
      period_to: new Date(body.to),
      timezone,
      locale: ctx.locale,
      format: body.format,
      requested_by: ctx.person.id,
      requested_by_name: ctx.person.fullname,
      created_at: ctx.clock.now(),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await ctx.enqueue(job, { companyId: ctx.companyId, reportId: row.id })
  ctx.audit({
    action: 'devices.reportRequested',
    target: { kind: 'device', id: String(device.id), name: device.name },
    after: { report: row.id, from: body.from, to: body.to, format: body.format },
  })
  return row
}
