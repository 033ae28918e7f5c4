import type { ClaimPack, NewClaim } from '@isotherm/contract/order-evidence.ts'
import type { DeviceReader } from '../../core/devices/device-reader.ts'
import { dispatchSettingsOf } from '../../core/orders/dispatch-settings.ts'
import { findOrder } from '../../core/orders/order-queries.ts'
import { showTrackingCode } from '../../domain/tracking-code.ts'
import type { Context } from '../../platform/context.ts'
import { AppError, orNotFound } from '../../platform/errors/app-error.ts'
import type { Job } from '../../platform/services.ts'
import { issueJobs } from '../../reporting/issue-jobs.ts'
import { download, type IssueJob, fileNameOf as issuedFileName, newIssue } from '../../reporting/issued-report.ts'
import { presentIssued } from '../../reporting/present.ts'
import { filesOfClaim, gatherClaim } from './claim-content.ts'
import { type ClaimRow, findClaim, insertClaim } from './claim-queries.ts'

const layout = new URL('./claim-layout.ts', import.meta.url)

const fileNameOf = (row: ClaimRow): string => issuedFileName(`claim-${row.tracking_code}`, row)
const target = (row: ClaimRow) => ({ kind: 'order', id: row.order_id, name: row.tracking_code })

/** The jobs that build and mail claim packs. */
export const claimJobs = (reader: DeviceReader) =>
  issueJobs({
    table: 'order_claims',
    name: 'order-claim',
    needs: 'dispatch.export',
    sees: async (ctx, row) => (await findClaim(ctx, row.id)) !== undefined,
    files: filesOfClaim,
    gather: (ctx, row) => gatherClaim(ctx, reader, row),
    layoutOf: () => layout,
    columns: ({ devices }) => ({ device_ids: devices.map(({ id }) => id) }),
    fileNameOf,
    mail: {
      texts: 'orderEvidence:mail',
      values: (row) => ({ code: showTrackingCode(row.tracking_code) }),
      page: (row) => `/dispatch/order/${row.order_id}`,
    },
  })

export const presentClaim = (row: ClaimRow): ClaimPack => {
  const { contents: _contents, ...issued } = presentIssued(row)
  return {
    ...issued,
    orderId: row.order_id,
    trackingCode: showTrackingCode(row.tracking_code),
    format: row.format as ClaimPack['format'],
    locale: row.locale as ClaimPack['locale'],
    carriage: row.carriage as ClaimPack['carriage'],
  }
}

/**
 * Asks for a claim pack of an order that has started, of the time from its start to its end or now. Throws NOT_FOUND, ORDER_NOT_STARTED,
 * REPORTS_WAITING or QUOTA_EXCEEDED.
 */
export async function requestClaim(
  ctx: Context,
  job: Job<IssueJob>,
  orderId: string,
  { format, locale, carriage, recipients }: NewClaim,
): Promise<ClaimRow> {
  const order = await findOrder(ctx, orderId)
  if (!order.started_at) throw new AppError('ORDER_NOT_STARTED')
  const from = order.started_at.toISOString()
  const to = (order.ended_at ?? order.cancelled_at ?? ctx.clock.now()).toISOString()
  const issue = await newIssue(ctx, { from, to, format: 'pdf', ...(locale && { locale }), recipients }, ['readings'])
  const row = await insertClaim(ctx, {
    ...{ ...issue, format, order_id: order.id, tracking_code: order.tracking_code, device_ids: [] },
    carriage: carriage ?? (await dispatchSettingsOf(ctx)).carriage,
  })
  await ctx.enqueue(job, { companyId: ctx.companyId, reportId: row.id })
  const after = {
    report: row.id,
    format,
    carriage: row.carriage,
    locale: row.locale,
    recipients: recipients?.length ?? 1,
  }
  ctx.audit({ action: 'claims.requested', target: target(row), after })
  return row
}

/** The file of a claim pack that tells of no device that the person does not see now. Throws NOT_FOUND. */
export async function claimFile(ctx: Context, id: string) {
  const row = orNotFound(await findClaim(ctx, id))
  return download(ctx, row, fileNameOf(row), { action: 'claims.downloaded', target: target(row) })
}
