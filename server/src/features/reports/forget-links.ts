import { asPipeline } from '../../platform/db/transaction.ts'
import type { Services } from '../../platform/services.ts'

/** Removes links to files that are over; they lead nowhere any more. */
export const forgetLinks = ({ pool, clock }: Services) =>
  asPipeline(pool, ({ tx }) => tx.deleteFrom('report_links').where('expires_at', '<=', clock.now()).execute())
