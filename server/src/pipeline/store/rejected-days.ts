import { inTurns } from '../../platform/loop/turns.ts'
import type { Batch, InboundMessage, RejectedPerDay, Rejection } from '../batch.ts'
import { numbers, texts } from './pg-arrays.ts'

/** So much of a message is kept once the day's bytes are used up. */
const shortened = 256
const maxPerTurn = 64
const unlimited: RejectedPerDay = { bytes: Number.POSITIVE_INFINITY, rows: Number.POSITIVE_INFINITY }

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

type Counted = Day & { messages: number }

/** A rejection with what is kept of its message. */
interface KeptRejection {
  row: Rejection
  payload: Buffer
}

/**
 * Decides how much of a batch's rejections is kept: all of it up to a tracker's bytes of the day, then the reason with the beginning of the
 * message, and beyond its rows of the day nothing. Every message is counted in rejected_days, which stays locked for these trackers.
 */
export async function withinDays(
  { client, turns, rejections, rejectedPerDay: most }: Batch,
  raw: (row: Rejection) => Buffer,
) {
  const { days, dayOf } = countByDay(rejections)
  // In one order everywhere: two lanes that lock the same trackers must not wait for each other.
  const asked = [...days.values()].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
  if (most) {
    const values = [...keysOf(asked), numbers('int8', asked, (day) => day.messages)]
    const { rows } = await client.query<Day>({ name: 'take_rejected_days', text: takeSql, values })
    for (const row of rows) Object.assign(days.get(keyOf(row)) ?? {}, { rows: row.rows, bytes: row.bytes })
  }
  const kept: KeptRejection[] = []
  for await (const some of inTurns(rejections, maxPerTurn, turns))
    for (const row of some) kept.push(...take(dayOf(row), most ?? unlimited, row, raw))
  if (most) {
    const values = [
      ...keysOf(asked),
      numbers('int4', asked, (day) => day.rows),
      numbers('int8', asked, (day) => day.bytes),
    ]
    await client.query({ name: 'note_rejected_days', text: noteSql, values })
  }
  return kept
}

function take(
  day: Day | undefined,
  most: RejectedPerDay,
  row: Rejection,
  raw: (row: Rejection) => Buffer,
): KeptRejection[] {
  if (!day || day.rows >= most.rows) return []
  const payload = raw(row)
  const fits = day.bytes + payload.length <= most.bytes
  const part = fits ? payload : payload.subarray(0, shortened)
  day.rows++
  if (fits) day.bytes += part.length
  return [{ row, payload: part }]
}

/** The days of rejections with their number of messages; a message may have thousands of rejections, mostly of one company. */
function countByDay(rejections: readonly Rejection[]) {
  const days = new Map<string, Counted>()
  const ofMessages = new Map<InboundMessage, Map<number | null, Counted>>()
  for (const { message, companyId } of rejections) {
    const ofMessage = ofMessages.get(message) ?? new Map<number | null, Counted>()
    ofMessages.set(message, ofMessage)
    let day = ofMessage.get(companyId)
    if (!day) {
      const made = dayOfMessage(message, companyId)
      day = days.get(keyOf(made)) ?? made
      days.set(keyOf(day), day)
      ofMessage.set(companyId, day)
    }
    day.messages++
  }
  return { days, dayOf: ({ message, companyId }: Rejection) => ofMessages.get(message)?.get(companyId) }
}

const dayOfMessage = ({ tracker, receivedAt }: InboundMessage, companyId: number | null): Counted => ({
  company_id: companyId,
  imei: tracker.imei,
  day: new Date(receivedAt).toISOString().slice(0, 10),
  rows: 0,
  bytes: 0,
  messages: 0,
})

const keyOf = ({ company_id, imei, day }: Day) => `${company_id ?? ''} ${imei} ${day}`

const keysOf = (days: readonly Day[]) => [
  numbers('int4', days, (day) => day.company_id),
  texts('text', days, (day) => day.imei),
  texts('text', days, (day) => day.day),
]
