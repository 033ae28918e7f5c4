import type pg from 'pg'
import type { Batch, InboundMessage, Part, Rejection, Row } from './batch.ts'
import { presentDevices } from './ingest/device.ts'

type Options = Pick<Batch, 'now' | 'turns' | 'trusting' | 'rejectedPerDay' | 'judgedAgain'>

/** Gathers parts into a batch: rows by company, device and time, each key once, the first sent winning. */
export function makeBatch(
  client: pg.Client,
  parts: readonly Part[],
  { now, turns, trusting, rejectedPerDay, judgedAgain }: Options,
): Batch {
  const sent: Row[] = []
  for (const part of parts) for (const row of part.rows) sent.push(row)
  sent.sort(byKey)
  const rows: Row[] = []
  const repeats: Batch['repeats'] = []
  for (const row of sent) {
    const first = rows.at(-1)
    if (first && byKey(first, row) === 0) repeats.push({ first, row })
    else rows.push(row)
  }
  return {
    client,
    turns,
    parts,
    now,
    trusting,
    rows,
    repeats,
    inserted: [],
    alreadyStored: [],
    duplicates: [],
    states: new Map(),
    windows: parts.flatMap((part) => part.windows),
    ticks: parts.flatMap((part) => part.ticks),
    triggers: [],
    sides: [],
    crossings: [],
    outside: [],
    rollups: [],
    excursions: [],
    amended: [],
    moved: new Map(),
    rejections: parts.flatMap(rejectionsOf),
    rejectedPerDay,
    judgedAgain,
    answered: [],
  }
}

const byKey = (a: Row, b: Row) => a.device.companyId - b.device.companyId || a.device.id - b.device.id || a.at - b.at

// Rejected readings are listed for the tracker's current owner. Readings from a time without an owner are listed for nobody.
function rejectionsOf({ message, refused }: Part): Rejection[] {
  if (refused.length === 0) return []
  const now = message.receivedAt
  const [owner] = presentDevices(message.tracker, now)
  return refused.map((item) =>
    item.code === 'NOT_ASSIGNED' || !owner
      ? { ...item, message, companyId: null, deviceId: null }
      : { ...item, message, companyId: owner.companyId, deviceId: owner.id },
  )
}

/** Answers the messages of a committed batch, those that have no other part on its way. One that fails stops no other. */
export function settle(batch: Batch, onError: (error: unknown) => void): void {
  for (const row of batch.inserted) row.part.message.outcome.accepted++
  for (const row of batch.duplicates) row.part.message.outcome.duplicates++
  for (const { message, index, code } of batch.rejections) message.outcome.rejected.push({ index, code })
  for (const { message } of batch.parts) {
    try {
      partDone(message)
    } catch (error) {
      onError(error)
    }
  }
}

/** Answers a message, where no other part of it is on its way. */
export function partDone(message: InboundMessage): void {
  message.waiting--
  if (message.waiting > 0) return
  message.outcome.rejected.sort((a, b) => a.index - b.index)
  message.done(message.outcome)
}
