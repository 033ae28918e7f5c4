import { countsFromText } from './joining-sql.ts'

/** When a device with its row `m` was in a record `r`: from when on, and until when; null: the end is not known. */
export const inRecordSinceText = 'greatest(r.start_at, m.joined_at)'
export const inRecordUntilText = 'least(r.end_at, m.left_at)'
/** The beginning of what counts of a device `d` with its row `m` in a record `r`; it ends as its time in the record does. */
export const countsInRecordText = `greatest(r.start_at, ${countsFromText})`

/**
 * Rows `id, from, to` (ms since 1970, `to` infinite while the end is not known) of the records of a device
 * `wanted (company_id, device_id)`, as one JSON value; null where there are none. A deleted record ended with its deletion.
 * A group's record has its devices once it has begun.
 */
export const recordWindowsSql = `
(select json_agg(json_build_object('id', r.id, 'from', (extract(epoch from ${inRecordSinceText}) * 1000)::float8,
    'to', (extract(epoch from least(${inRecordUntilText}, r.archived_at)) * 1000)::float8) order by r.start_at, r.id)
  from record_devices m join records r on r.company_id = m.company_id and r.id = m.record_id
  where m.company_id = wanted.company_id and m.device_id = wanted.device_id
    and (r.archived_at is null or r.archived_at > ${inRecordSinceText}))`

/** A window as JSON has it. */
export interface RecordWindowRow {
  id: number
  from: number
  to: number | null
}
