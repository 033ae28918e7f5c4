import { sql } from 'kysely'
import { visibleSql } from '../../core/devices/visible-devices.ts'
import type { RequestRow } from '../../core/support/request-queries.ts'
import { seesPrivate } from '../../core/visibility/visibility.ts'
import type { ViewerTx } from '../../platform/context.ts'
import { allRows, countRows, firstRow, pageOfRows } from '../../platform/db/rows.ts'

export interface ShownRow extends RequestRow {
  fullname: string
  answers: { text: string; at: string }[]
}

const columns = sql`r.*, u.fullname, coalesce((
  select json_agg(json_build_object('text', a.text, 'at', a.at) order by a.id)
  from support_answers a where a.company_id = r.company_id and a.request_id = r.id), '[]') as answers`

/** The requests that a person may read: their own; an Admin those of the team. */
const shown = ({ companyId, person }: ViewerTx) => sql`support_requests r
  join users u on u.company_id = r.company_id and u.id = r.asked_by
  where r.company_id = ${companyId} ${seesPrivate(person) ? sql`` : sql`and r.asked_by = ${person.id}::int8`}`

/** A page of requests, newest first. */
export const pageOfRequests = (ctx: ViewerTx, paging: { page: number; perPage: number }) =>
  pageOfRows<ShownRow>(ctx.tx, paging, { columns, from: shown(ctx), order: sql`r.created_at desc, r.id desc` })

export const shownRequest = (ctx: ViewerTx, id: string): Promise<ShownRow | undefined> =>
  firstRow<ShownRow>(ctx.tx)`select ${columns} from ${shown(ctx)} and r.id = ${id}::int8`

/** Since when the company waits for an answer, by module. */
export async function openFeatureRequests({ tx, companyId }: ViewerTx): Promise<Map<string, Date>> {
  const rows = await allRows<{ category: string; created_at: Date }>(
    tx,
  )`select category, created_at from support_requests
    where company_id = ${companyId} and kind = 'feature' and state = 'open'`
  return new Map(rows.map((row) => [row.category, row.created_at]))
}

/** How many devices in use the person sees. */
export const countSeenDevices = (ctx: ViewerTx): Promise<number> =>
  countRows(ctx.tx)`select count(*)::int as n from devices d
    where ${visibleSql(ctx)} and d.decommissioned_at is null and d.sample_until is null`
