import { createHash } from 'node:crypto'
import type { ReadingsExportQuery } from '@isotherm/contract/readings-export.ts'
import { invalidField } from '../../platform/errors/app-error.ts'

/**
 * How far an export is. `all`: through what had arrived up to arrival `number`, device by device, up to `afterUs` of the device. `new`: through arrivals,
 * all of `number` and the first `offset` readings of the next one. `stamp` is the mark of arrival `number`.
 */
export type Place = { number: string; stamp: number } & (
  | { phase: 'all'; deviceId: number; afterUs: string | null }
  | { phase: 'new'; offset: number }
)

/** The part of a query that a cursor goes on with. */
export type Filter = Pick<ReadingsExportQuery, 'deviceIds' | 'from'>

/** Eight signs that tell one filter from another. */
export function markOf({ deviceIds, from }: Filter): string {
  if (!deviceIds && !from) return 'all'
  const text = JSON.stringify([deviceIds ? [...deviceIds].sort() : null, from ? Date.parse(from) : null])
  return createHash('sha256').update(text).digest('hex').slice(0, 8)
}

export interface Cursor {
  epoch: string
  mark: string
  place: Place
}

/** A cursor as callers keep it: text without meaning for them. */
export function writeCursor({ epoch, mark, place }: Cursor): string {
  const at = place.phase === 'all' ? [place.deviceId, place.afterUs ?? 'x'] : [place.offset]
  return [place.phase, epoch, place.number, place.stamp, mark, ...at].join('.')
}

const shape = /^(all|new)\.([0-9a-f]{8})\.(\d{1,18})\.(\d{1,10})\.(all|[0-9a-f]{8})\.(\d{1,9})(?:\.(x|-?\d{1,17}))?$/

/** Throws VALIDATION for what is no cursor, or is one of another filter. */
export function readCursor(text: string, filter: Filter): Cursor {
  const [, phase, epoch = '', number = '', stamp, mark, first, afterUs] = shape.exec(text) ?? []
  if ((phase === 'all') !== (afterUs !== undefined) || !phase) throw invalidField('cursor', 'rule.cursor')
  if (mark !== markOf(filter)) throw invalidField('cursor', 'rule.cursorFilter')
  const known = { number, stamp: Number(stamp) }
  const place: Place =
    phase === 'all'
      ? { ...known, phase, deviceId: Number(first), afterUs: afterUs === 'x' ? null : (afterUs ?? null) }
      : { ...known, phase: 'new', offset: Number(first) }
  return { epoch, mark, place }
}
