import { sql } from 'kysely'
import type { TenantTx } from '../../platform/context.ts'
import { firstRow } from '../../platform/db/rows.ts'
import { peakWithinSql } from './excursion-sql.ts'

/** The value of an excursion farthest outside within a span (ms since 1970, both ends included), hundredths; null where there is none of that id. */
export async function peakWithin(
  { tx, companyId }: TenantTx,
  id: string,
  { from, to }: { from: number; to: number },
): Promise<number | null> {
  const [since, until] = [sql<Date>`${new Date(from)}::timestamptz`, sql<Date>`${new Date(to)}::timestamptz`]
  const row = await firstRow<{ peak: number }>(tx)`
    select ${peakWithinSql(since, until)} as peak from excursions e where e.company_id = ${companyId} and e.id = ${id}::int8`
  return row?.peak ?? null
}
