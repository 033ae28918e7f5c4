import type { TenantTx } from '../../platform/context.ts'
import { firstRow } from '../../platform/db/rows.ts'
import { noteCompany } from '../devices/settings-changes.ts'

export interface FeedRow {
  is_on: boolean
  last_sequence: string
  since: Date
  read_at: Date | null
}

const columns = ['is_on', 'last_sequence', 'since', 'read_at'] as const

export const findFeed = ({ tx, companyId }: TenantTx): Promise<FeedRow | undefined> =>
  tx.selectFrom('event_feeds').select(columns).where('company_id', '=', companyId).executeTakeFirst()

/**
 * From now on the company's events are written, if they are not already: the pipeline is told, which writes none for other companies. What happened
 * while it was off is in no feed: a number that no event has stands for it, so that whoever read before sees the gap.
 */
export async function switchOn(ctx: TenantTx, now: Date): Promise<void> {
  const switched = await firstRow(ctx.tx)`
    insert into event_feeds (company_id, is_on, since) values (${ctx.companyId}, true, ${now})
    on conflict (company_id) do update set is_on = true, since = excluded.since,
      last_sequence = event_feeds.last_sequence + 1 where not event_feeds.is_on returning company_id`
  if (switched) await noteCompany(ctx)
}

/** Somebody read the feed on that day. */
export const noteRead = ({ tx, companyId }: TenantTx, now: Date) =>
  tx.updateTable('event_feeds').set({ read_at: now }).where('company_id', '=', companyId).execute()
