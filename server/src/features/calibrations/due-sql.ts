import { dueSoonDays } from '@isotherm/contract/calibrations.ts'
import { type RawBuilder, sql } from 'kysely'

const isOfLater = (b: string) => `${b}.company_id = c.company_id and ${b}.device_id = c.device_id
  and ${b}.channel is not distinct from c.channel and ${b}.removed_at is null
  and (${b}.calibrated_on, ${b}.id) > (c.calibrated_on, c.id)`

/** Whether the same device or probe has a newer certificate than `c`. */
export const isReplacedSql: RawBuilder<boolean> = sql.raw(
  `exists (select from calibrations newer where ${isOfLater('newer')})`,
)

/** Whether `c` is due, or within 30 days: by days in UTC, as certificates name no zone. */
export function dueSql(now: Date): Record<'isOver' | 'isSoon', RawBuilder<boolean>> {
  const today = sql`(${now}::timestamptz at time zone 'UTC')::date`
  return { isOver: sql`c.due_on <= ${today}`, isSoon: sql`c.due_on <= ${today} + ${dueSoonDays}::int4` }
}
