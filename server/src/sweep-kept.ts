import { keyCallsKeptDays } from '@isotherm/contract/developer.ts'
import { z } from 'zod'
import { deleteAcknowledgeLinksBefore } from './core/alarms/acknowledge-links.ts'
import { deleteEventsBefore } from './core/billing/event-queries.ts'
import { deleteNoticesBefore } from './core/orders/notice-queries.ts'
import { sweepUnverified } from './core/people/unverified.ts'
import { forgetUploads } from './features/bulk-uploads/forget-uploads.ts'
import { deleteCallsBefore } from './features/developer/call-queries.ts'
import { forgetAddresses } from './features/order-links/forget-addresses.ts'
import { forgetLinks } from './features/reports/forget-links.ts'
import { deleteLinksOver } from './features/share-links/queries.ts'
import { forgetRejected } from './pipeline/store/forget-rejected.ts'
import { forgetChallenges } from './platform/auth/login-challenges.ts'
import { forgetEndedSessions } from './platform/auth/sessions.ts'
import { asLogin, asPipeline } from './platform/db/transaction.ts'
import { openFiles } from './platform/files/files.ts'
import { forgetKeysBefore } from './platform/http/idempotency-queries.ts'
import type { Job } from './platform/services.ts'
import { forgetFiles } from './reporting/forget-files.ts'

const dayMs = 86_400_000
/** For how long a share link that was revoked or is over stays in the database. */
const overLinksDays = 30
/** For how long an event of a payment provider is known: one that is sent again later has its payment asked for again. */
const paymentEventDays = 90
/** For how long news of orders stay once they were told: events and notifications have them, too. */
const orderNoticeDays = 90
/** For how long the address is known that a receipt was mailed to. */
const receiptAddressDays = 90
/** For how long the faults, the warnings and the first rows of a file, and the workbook that marks its faults, can be read. */
const uploadDays = 7
/** For how long the answer of a call with a key is known. */
const keyDays = 1

/** Every night: forgets what has been kept for as long as the configuration says. */
export const sweepKept: Job<Record<string, never>> = {
  name: 'sweep-kept',
  payload: z.strictObject({}),
  retryLimit: 2,
  cron: '40 2 * * *',
  async run(services) {
    const { reportFilesDays, rejectedDays } = services.config.keep
    const before = (days: number) => new Date(services.clock.now().getTime() - days * dayMs)
    await forgetLinks(services)
    await asPipeline(services.pool, ({ tx }) => deleteAcknowledgeLinksBefore(tx, services.clock.now()))
    await asPipeline(services.pool, ({ tx }) => deleteLinksOver(tx, before(overLinksDays)))
    await asPipeline(services.pool, ({ tx }) => forgetKeysBefore(tx, before(keyDays)))
    await asPipeline(services.pool, ({ tx }) => deleteCallsBefore(tx, before(keyCallsKeptDays)))
    await asPipeline(services.pool, ({ tx }) => deleteNoticesBefore(tx, before(orderNoticeDays)))
    await asLogin(services.pool, ({ tx }) => deleteEventsBefore(tx, before(paymentEventDays)))
    const sessions = await forgetEndedSessions(services.pool, services.clock.now(), services.config.sessions)
    await forgetChallenges(services.pool, services.clock.now())
    const addresses = await forgetAddresses(services, before(receiptAddressDays))
    const unverified = await sweepUnverified(services)
    const rejected = await forgetRejected(services, before(rejectedDays))
    // Last: a bucket that does not answer keeps nothing else from being forgotten.
    let files = 0
    for (const table of [
      'device_reports',
      'group_reports',
      'order_claims',
      'cold_treatment_records',
      'shipment_reports',
      'report_files',
    ] as const)
      files += await forgetFiles(services, table, before(reportFilesDays))
    files += await forgetUploads(services, before(uploadDays))
    const unfinished = await openFiles(services.config).forgetUnfinished(before(1))
    services.log.info(
      { files, sessions, unverified, rejected, unfinished, addresses },
      'what was kept long enough is forgotten',
    )
  },
}
