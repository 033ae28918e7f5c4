import { asPipeline } from '../../platform/db/transaction.ts'
import { openFiles } from '../../platform/files/files.ts'
import type { Services } from '../../platform/services.ts'
import { forgetContent, uploadsBefore } from './upload-queries.ts'

const perTurn = 500

/** Removes the files, faults and previews of uploads from before an instant; resolves to how many. Their hashes and counts stay. */
export async function forgetUploads({ pool, config }: Services, before: Date): Promise<number> {
  const files = openFiles(config)
  let forgotten = 0
  for (;;) {
    const old = await asPipeline(pool, ({ tx }) => uploadsBefore(tx, before, perTurn))
    // The row first: no row names a file that is gone. Killed in between, the sweep of orphans finds the files.
    for (const upload of old) {
      await asPipeline(pool, ({ tx }) => forgetContent(tx, upload))
      for (const key of [upload.file_key, upload.marked_key]) if (key) await files.remove(key)
    }
    forgotten += old.length
    if (old.length < perTurn) return forgotten
  }
}
