import { isUtf8 } from 'node:buffer'
import type { Input } from '@isotherm/contract/call.ts'
import type { RejectedReading } from '@isotherm/contract/device-history.ts'
import type { devices } from '@isotherm/contract/devices.ts'
import type { Context } from '../../platform/context.ts'
import { presentPage } from '../../platform/http/present-page.ts'
import { findRejected, type RejectedRow, shownBytes } from './rejected-queries.ts'

/** Messages of the company's devices that could not become readings, newest first. */
export async function listRejected(ctx: Context, { query }: Input<typeof devices.rejected>) {
  return presentPage(query, await findRejected(ctx, query), presentRejected)
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
