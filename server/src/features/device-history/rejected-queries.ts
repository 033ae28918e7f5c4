import { sql } from 'kysely'
import type { TenantTx } from '../../platform/context.ts'
import { pageOfRows } from '../../platform/db/rows.ts'
import { containing } from '../../platform/db/search.ts'

export interface RejectedRow {
  id: string
  received_at: Date
  measured_at: Date | null
  imei: string
  device_id: number | null
  device_name: string | null
  protocol: 'http' | 'mqtt'
  code: string
  reason: Record<string, unknown>
  payload: Buffer
  bytes: number
}

/** How much of a message is shown. */
export const shownBytes = 4_000

/** A page of the company's rejected messages, newest first, and how many there are. */
export const findRejected = (
  ctx: TenantTx,
  { search, ...paging }: { page: number; perPage: number; search?: string | undefined },
) =>
  pageOfRows<RejectedRow>(ctx.tx, paging, {
    columns: sql`r.id, r.received_at, r.measured_at, r.imei, r.device_id, d.name as device_name, r.protocol, r.code, r.reason,
      substring(r.payload from 1 for ${shownBytes}) as payload, length(r.payload) as bytes`,
    from: sql`ingest_rejected r left join devices d on d.company_id = r.company_id and d.id = r.device_id
      where r.company_id = ${ctx.companyId} and ${
        search
          ? sql`(r.imei ilike ${containing(search)} or r.code ilike ${containing(search)} or d.name ilike ${containing(search)})`
          : sql`true`
      }`,
    order: sql`r.received_at desc, r.id desc`,
  })
