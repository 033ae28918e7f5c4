import { isUtf8 } from 'node:buffer'
import type { Input } from '@isotherm/contract/call.ts'
import type { devices, RejectedReading } from '@isotherm/contract/devices.ts'
import { metaOf } from '@isotherm/contract/paging.ts'
import { sql } from 'kysely'
import { containing } from '../../platform/db/search.ts'
import type { Context } from '../../platform/http/context.ts'

interface RejectedRow {
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

const shownBytes = 4_000

/** Messages of the company's devices that could not become readings, newest first. */
export async function listRejected(ctx: Context, { query }: Input<typeof devices.rejected>) {
  const { page, perPage, search } = query
  const found = sql`ingest_rejected r left join devices d on d.company_id = r.company_id and d.id = r.device_id
    where r.company_id = ${ctx.companyId} and ${
      search
        ? sql`(r.imei ilike ${containing(search)} or r.code ilike ${containing(search)} or d.name ilike ${containing(search)})`
        : sql`true`
    }`
  const { rows: counted } = await sql<{ n: number }>`select count(*)::int as n from ${found}`.execute(ctx.tx)
  const { rows } = await sql<RejectedRow>`
    select r.id, r.received_at, r.measured_at, r.imei, r.device_id, d.name as device_name, r.protocol, r.code, r.reason,
      substring(r.payload from 1 for ${shownBytes}) as payload, length(r.payload) as bytes
    from ${found} order by r.received_at desc, r.id desc limit ${perPage} offset ${(page - 1) * perPage}`.execute(
    ctx.tx,
  )
  return { data: rows.map(presentRejected), meta: metaOf(query, counted[0]?.n ?? 0) }
}

// Rows from before such times were refused as times may have a year that no ISO form of four digits holds.
const isoOf = (at: Date | null) => (at && /^\d{4}-/.test(at.toISOString()) ? at.toISOString() : null)

function presentRejected(row: RejectedRow): RejectedReading {
  // Cut in the middle of a sign, text is still text: the last few bytes do not count.
  const payloadIsText =
    isUtf8(row.payload) || (row.bytes > shownBytes && [1, 2, 3].some((n) => isUtf8(row.payload.subarray(0, -n))))
  return {
    id: row.id,
    receivedAt: row.received_at.toISOString(),
    measuredAt: isoOf(row.measured_at),
    imei: row.imei,
    deviceId: row.device_id === null ? null : String(row.device_id),
    deviceName: row.device_name,
    protocol: row.protocol,
    code: row.code,
    reason: row.reason,
    payload: row.payload.toString(payloadIsText ? 'utf8' : 'base64'),
    payloadIsText,
    payloadBytes: row.bytes,
  }
}
