import type { Batch, Rejection } from '../batch.ts'
import { numbers, texts } from './pg-arrays.ts'

const sql = `
insert into ingest_rejected (company_id, device_id, imei, protocol, received_at, measured_at, code, reason, payload)
select * from unnest($1::int4[], $2::int4[], $3::text[], $4::text[], $5::timestamptz[], $6::timestamptz[], $7::text[],
  $8::jsonb[], $9::bytea[])`

/** Keeps what did not become a reading, as it was sent, with the reason. */
export async function writeRejections({ client, rejections }: Batch): Promise<void> {
  if (rejections.length === 0) return
  const values = [
    numbers('int4', rejections, (row) => row.companyId),
    numbers('int4', rejections, (row) => row.deviceId),
    texts('text', rejections, (row) => row.delivery.tracker.imei),
    texts('text', rejections, (row) => row.delivery.protocol),
    numbers('timestamptz', rejections, (row) => row.delivery.receivedAt),
    numbers('timestamptz', rejections, storableInstant),
    texts('text', rejections, (row) => row.code),
    texts('jsonb', rejections, (row) => JSON.stringify(row.reason)),
    texts('bytea', rejections, (row) => rawBytes(row.raw)),
  ]
  await client.query({ name: 'write_rejections', text: sql, values })
}

const rawBytes = (raw: unknown): Buffer => (Buffer.isBuffer(raw) ? raw : Buffer.from(JSON.stringify(raw) ?? 'null'))

// PostgreSQL's instants end before JavaScript's begin.
const firstMs = Date.UTC(-4000, 0)
const lastMs = Date.UTC(100_000, 0)
const storableInstant = ({ measuredAt }: Rejection) =>
  measuredAt !== null && measuredAt > firstMs && measuredAt < lastMs ? measuredAt : null
