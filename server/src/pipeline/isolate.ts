import pg from 'pg'
import type { Part } from './batch.ts'
import { refusal } from './ingest/inbound-message.ts'

/** Whether the readings themselves are to blame: PostgreSQL's data and constraint errors, or a mistake of ours over them. */
export function isPoison(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return /^(21|22|23|54)/.test(error.code ?? '')
  return error instanceof TypeError || error instanceof RangeError
}

/** Whether a reading that was taken to be new is there already. */
export const isRepeated = (error: unknown): boolean => error instanceof pg.DatabaseError && error.code === '23505'

/** Whether a month has no partition, though it was thought to: somebody dropped it. A broken check has its constraint's name. */
export const isWithoutPartition = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === '23514' && !error.constraint

/**
 * Smaller batches, in order, of one that PostgreSQL refused: halves of its parts, then of a part's readings; a reading
 * refused by itself is kept as NOT_STORABLE. One bad reading never takes others with it.
 */
export function isolate(parts: readonly Part[]): Part[][] {
  const [part] = parts
  if (!part) return []
  if (parts.length > 1) {
    const middle = parts.length >> 1
    return [parts.slice(0, middle), parts.slice(middle)]
  }
  if (part.rows.length > 0 && part.refused.length + part.acks.length > 0)
    return split(part, { rows: part.rows }, { refused: part.refused, acks: part.acks })
  if (part.rows.length > 1) {
    const middle = part.rows.length >> 1
    return split(part, { rows: part.rows.slice(0, middle) }, { rows: part.rows.slice(middle) })
  }
  const [row] = part.rows
  if (!row) return [[{ ...part, refused: [], acks: [], ticks: [] }]]
  const { index, raw } = row.reading
  return [[{ ...part, rows: [], refused: [refusal(index, 'NOT_STORABLE', raw, {}, row.at)] }]]
}

/** A part in pieces of at most so many rows, in order; what else it has goes with the first. */
export function inPieces(part: Part, most: number): Part[] {
  if (part.rows.length <= most) return [part]
  const { rows, refused, acks, windows, ticks } = part
  const pieces = Array.from({ length: Math.ceil(rows.length / most) }, (_, index) => ({
    rows: rows.slice(index * most, (index + 1) * most),
    ...(index === 0 ? { refused, acks, windows, ticks } : {}),
  }))
  return split(part, ...pieces).flat()
}

function split(part: Part, ...pieces: Partial<Part>[]): Part[][] {
  part.message.waiting += pieces.length - 1
  return pieces.map((piece) => {
    const { message, tracker } = part
    const made: Part = { message, tracker, rows: [], refused: [], acks: [], windows: [], ticks: [], ...piece }
    for (const row of made.rows) row.part = made
    return [made]
  })
}
