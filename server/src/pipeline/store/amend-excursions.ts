import type { Measure } from '../../domain/measures.ts'
import type { Reconciliation } from '../../domain/replay.ts'
import type { Batch } from '../batch.ts'
import type { KnownExcursion } from '../evaluate/late-windows.ts'
import { isLate } from '../evaluate/take-in-order.ts'
import type { ExcursionChange, ExcursionWrite } from '../evaluate/writes.ts'
import type { Device } from '../ingest/device.ts'
import { numbers } from './pg-arrays.ts'
import { writeExcursionRows } from './write-excursions.ts'

/** The changes that late data makes to a device's excursions of one measure. */
export type Amendment = Reconciliation<KnownExcursion> & { device: Device; measure: Measure }

const removeSql = `
delete from excursions e using unnest($1::int4[], $2::int8[]) as gone (company_id, id)
where e.company_id = gone.company_id and e.id = gone.id`
const moveSql = `
update excursions e set start_at = moved.start_at, amended_at = to_timestamp($4::float8 / 1000)
from unnest($1::int4[], $2::int8[], $3::timestamptz[]) as moved (company_id, id, start_at)
where e.company_id = moved.company_id and e.id = moved.id`

/** Removes, amends and adds excursions, and keeps the changes for the browsers. */
export async function amendExcursions(batch: Batch, amendments: readonly Amendment[]): Promise<void> {
  const removed = amendments.flatMap(({ removed, ...of }) =>
    removed.map((known) => change(batch, of, known, known.id, 'removed')),
  )
  const amended = amendments.flatMap(({ amended, ...of }) =>
    amended.map(({ known, excursion }) => change(batch, of, excursion, known.id, 'amended')),
  )
  const added = amendments.flatMap(({ added, ...of }) =>
    added.map((excursion) => change(batch, of, excursion, '', excursion.endAt === null ? 'started' : 'ended')),
  )
  if (removed.length > 0)
    await batch.client.query({ name: 'remove_excursions', text: removeSql, values: keys(removed) })
  if (amended.length > 0) {
    const starts = numbers('timestamptz', amended, ({ excursion }) => excursion.startAt)
    const values = [...keys(amended), starts, batch.now]
    await batch.client.query({ name: 'move_excursions', text: moveSql, values })
  }
  await writeExcursionRows(batch.client, [...amended, ...added])
  batch.amended.push(...removed, ...amended, ...added)
}

const keys = (writes: readonly ExcursionWrite[]) => [
  numbers('int4', writes, ({ device }) => device.companyId),
  numbers('int8', writes, ({ id }) => Number(id)),
]

const change = (
  { now }: Batch,
  { device, measure }: { device: Device; measure: Measure },
  excursion: ExcursionWrite['excursion'],
  id: string,
  kind: ExcursionChange,
): ExcursionWrite => ({ device, measure, id, excursion, change: kind, late: isLate(excursion, now) })
