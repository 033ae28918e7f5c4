import { asRoad } from '../../platform/db/transaction.ts'
import { openFiles } from '../../platform/files/files.ts'
import type { Services } from '../../platform/services.ts'

const atOnce = 500

/** Removes the files of reports that were issued before an instant. What proves a file stays. */
export async function forgetReportFiles({ pool, clock, config }: Services, before: Date): Promise<number> {
  const files = openFiles(config.dataDir)
  let removed = 0
  for (;;) {
    const over = await asRoad(pool, ({ tx }) =>
      tx
        .selectFrom('device_reports')
        .select(['company_id', 'id', 'file_key'])
        .where('file_key', 'is not', null)
        .where('finished_at', '<', before)
        .limit(atOnce)
        .execute(),
    )
    // The file first: killed in between, the row is found again.
    for (const { company_id, id, file_key } of over) {
      if (file_key) await files.remove(file_key)
      await asRoad(pool, ({ tx }) =>
        tx
          .updateTable('device_reports')
          .set({ file_key: null, removed_at: clock.now() })
          .where('company_id', '=', company_id)
          .where('id', '=', id)
          .execute(),
      )
    }
    removed += over.length
    if (over.length < atOnce) return removed
  }
}
