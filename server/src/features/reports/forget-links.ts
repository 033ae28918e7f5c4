import { asPipeline } from '../../platform/db/transaction.ts'
import type { Services } from '../../platform/services.ts'
import { deleteLinksBefore } from './link-queries.ts'

/** Removes links that are over. */
export const forgetLinks = ({ pool, clock }: Services) =>
  asPipeline(pool, ({ tx }) => deleteLinksBefore(tx, clock.now()))
