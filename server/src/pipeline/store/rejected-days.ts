import type { Batch, RejectedPerDay, Rejection } from '../batch.ts'
import { numbers, texts } from './pg-arrays.ts'

/** So much of a message is kept once the day's bytes are used up. */
const shortened = 256

const takeSql = `
insert into rejected_days as d (company_id, imei, day, messages)
select * from unnest($1::int4[], $2::text[], $3::text[]::date[], $4::int8[])
on conflict (company_id, imei, day) do update set messages = d.messages + excluded.messages
returning company_id, imei, day::text as day, kept_rows as "rows", kept_bytes::float8 as "bytes"`

const noteSql = `
update rejected_days d set kept_rows = n.rows, kept_bytes = n.bytes
from (select * from unnest($1::int4[], $2::text[], $3::text[]::date[], $4::int4[], $5::int8[])) as n (company_id, imei, day, rows, bytes)
where d.company_id is not distinct from n.company_id and d.imei = n.imei and d.day = n.day`

interface Day {
  company_id: number | null
  imei: string
  day: string
  rows: number
  bytes: number
}

/** A rejection with what is kept of its message. */
interface KeptRejection {
  row: Rejection
  payload: Buffer
}

/**
 * Decides how much of a batch's rejections is kept: all of it up to a tracker's bytes of the day, then the reason with the beginning of the
 * message, and beyond its rows of the day nothing. Every message is counted in rejected_days, which stays locked for these trackers.
 */
export async function withinDays({ client, rejections, rejectedPerDay: most }: Batch, raw: (row: Rejection) => Buffer) {
  const all = rejections.map((row) => ({ row, payload: raw(row) }))
  if (!most) return all
  const messages = new Map<string, Day & { messages: number }>()
  for (const { row } of all) {
    const day = dayOf(row)
    const known = messages.get(keyOf(day))
    if (known) known.messages++
    else messages.set(keyOf(day), { ...day, messages: 1 })
  }
  // In one order everywhere: two lanes that lock the same trackers must not wait for each other.
  const asked = [...messages].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, day]) => day)
  const { rows } = await client.query<Day>({
    name: 'take_rejected_days',
    text: takeSql,
    values: [...keysOf(asked), numbers('int8', asked, (day) => day.messages)],
  })
  const days = new Map(rows.map((day) => [keyOf(day), day]))
  const kept = all.flatMap(({ row, payload }) => take(days.get(keyOf(dayOf(row))), most, row, payload))
  const values = [...keysOf(rows), numbers('int4', rows, (day) => day.rows), numbers('int8', rows, (day) => day.bytes)]
  await client.query({ name: 'note_rejected_days', text: noteSql, values })
  return kept
}

function take(day: Day | undefined, most: RejectedPerDay, row: Rejection, payload: Buffer): KeptRejection[] {
  if (!day || day.rows >= most.rows) return []
  const fits = day.bytes + payload.length <= most.bytes
  const part = fits ? payload : payload.subarray(0, shortened)
  day.rows++
  if (fits) day.bytes += part.length
  return [{ row, payload: part }]
}

const dayOf = ({ companyId, message }: Rejection): Day => ({
  company_id: companyId,
  imei: message.tracker.imei,
  day: new Date(message.receivedAt).toISOString().slice(0, 10),
  rows: 0,
  bytes: 0,
})

const keyOf = ({ company_id, imei, day }: Day) => `${company_id ?? ''} ${imei} ${day}`

const keysOf = (days: readonly Day[]) => [
  numbers('int4', days, (day) => day.company_id),
  texts('text', days, (day) => day.imei),
  texts('text', days, (day) => day.day),
]
