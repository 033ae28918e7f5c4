import type { Batch, Rejection } from '../batch.ts'
import { numbers, texts } from './pg-arrays.ts'
import { withinDays } from './rejected-days.ts'

const sql = `
insert into ingest_rejected (company_id, device_id, imei, protocol, received_at, measured_at, code, reason, payload)
select * from unnest($1::int4[], $2::int4[], $3::text[], $4::text[], $5::timestamptz[], $6::timestamptz[], $7::text[],
  $8::jsonb[], $9::bytea[])`

/** Keeps what did not become a reading, as it was sent, with the reason; of a tracker only so much a day. */
export async function writeRejections(batch: Batch): Promise<void> {
  if (batch.rejections.length === 0) return
  const kept = await withinDays(batch, ({ raw }) => rawBytes(raw))
  if (kept.length === 0) return
  const rejections = kept.map(({ row }) => row)
  const values = [
    numbers('int4', rejections, (row) => row.companyId),
    numbers('int4', rejections, (row) => row.deviceId),
    texts('text', rejections, (row) => row.message.tracker.imei),
    texts('text', rejections, (row) => row.message.protocol),
    numbers('timestamptz', rejections, (row) => row.message.receivedAt),
    numbers('timestamptz', rejections, storableInstant),
    texts('text', rejections, (row) => row.code),
    texts('jsonb', rejections, (row) => JSON.stringify(row.reason)),
    texts('bytea', kept, ({ payload }) => payload),
  ]
  await batch.client.query({ name: 'write_rejections', text: sql, values })
}

const rawBytes = (raw: unknown) => (Buffer.isBuffer(raw) ? raw : Buffer.from(JSON.stringify(raw) ?? 'null'))

// PostgreSQL's instants end before JavaScript's begin.
const firstMs = Date.UTC(-4000, 0)
const lastMs = Date.UTC(100_000, 0)
const storableInstant = ({ measuredAt }: Rejection) =>
  measuredAt !== null && measuredAt > firstMs && measuredAt < lastMs ? measuredAt : null
