import type { Entitlement } from '@isotherm/contract/subscription.ts'
import { monthsBefore } from '../../domain/retention.ts'
import type { TenantTx } from '../../platform/context.ts'
import { findRetention } from './retention-queries.ts'

type Deletion = NonNullable<Entitlement['use']>['deletion']

/** Which readings of a company are deleted, or will be; what is announced before what is in force. */
export async function deletionOf(of: TenantTx, now: Date): Promise<Deletion> {
  const { months, next } = await findRetention(of)
  const said = (count: number, at: Date, isAnnounced: boolean) => ({
    ...{ months: count, isAnnounced, at: at.toISOString(), from: monthsBefore(at, count).toISOString() },
  })
  if (next) return said(next.months, next.at, true)
  return months === null ? null : said(months, now, false)
}
