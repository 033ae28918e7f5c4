import { asPipeline } from '../platform/db/transaction.ts'
import { openFiles } from '../platform/files/files.ts'
import type { Services } from '../platform/services.ts'
import { type FileTable, filesBefore, setRemoved } from './issued-queries.ts'

const maxPerSweep = 500

/** Removes the files from before an instant that a table tells of; resolves to how many. What proves a file stays. */
export async function forgetFiles({ pool, clock, config }: Services, table: FileTable, before: Date): Promise<number> {
  const files = openFiles(config)
  let removed = 0
  for (;;) {
    const over = await asPipeline(pool, ({ tx }) => filesBefore(tx, table, before, maxPerSweep))
    // The row first: no row names a file that is gone. Killed in between, the sweep of orphans finds the file.
    for (const file of over) {
      await asPipeline(pool, ({ tx }) => setRemoved(tx, table, file, clock.now()))
      await files.remove(file.file_key)
    }
    removed += over.length
    if (over.length < maxPerSweep) return removed
  }
}
