import { type RawBuilder, sql } from 'kysely'
import { asPipeline } from '../platform/db/transaction.ts'
import { openFiles } from '../platform/files/files.ts'
import type { Services } from '../platform/services.ts'

const maxPerSweep = 500

/** The tables of files that were written for somebody, and since when a file of theirs counts. */
const writtenAt = {
  device_reports: sql.ref('finished_at'),
  group_reports: sql.ref('finished_at'),
  report_files: sql.ref('created_at'),
} satisfies Record<string, RawBuilder<unknown>>

/** Removes the files from before an instant that a table tells of; resolves to how many. What proves a file stays. */
export async function forgetFiles(
  { pool, clock, config }: Services,
  table: keyof typeof writtenAt,
  before: Date,
): Promise<number> {
  const files = openFiles(config.dataDir)
  let removed = 0
  for (;;) {
    const { rows: over } = await asPipeline(pool, ({ tx }) =>
      sql<{ company_id: number; id: string; file_key: string }>`
        select company_id, id, file_key from ${sql.table(table)}
        where file_key is not null and ${writtenAt[table]} < ${before} limit ${maxPerSweep}`.execute(tx),
    )
    // The file first: killed in between, the row is found again.
    for (const { company_id, id, file_key } of over) {
      await files.remove(file_key)
      await asPipeline(pool, ({ tx }) =>
        sql`update ${sql.table(table)} set file_key = null, removed_at = ${clock.now()}
          where company_id = ${company_id} and id = ${id}::int8`.execute(tx),
      )
    }
    removed += over.length
    if (over.length < maxPerSweep) return removed
  }
}
