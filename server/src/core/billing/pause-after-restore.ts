import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { asPipeline } from '../../platform/db/transaction.ts'
import type { Services } from '../../platform/services.ts'
import { companiesPaused } from './account-queries.ts'
import { pauseBilling } from './pause.ts'

/** A restore leaves it in DATA_DIR: what the database says of charges may be older than what was charged. */
export const restoredFile = 'restored-at'

/** At the start of the server, before any job runs: pauses what charges by itself after a restore, and says what is paused. */
export async function pauseAfterRestore({ pool, config, clock, log }: Services): Promise<void> {
  const path = join(config.dataDir, restoredFile)
  const restored = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  if (restored !== null) {
    await pauseBilling(pool, { isPaused: true, by: 'restore' }, clock.now())
    await rm(path, { force: true })
  }
  const { length: accounts } = await asPipeline(pool, ({ tx }) => companiesPaused(tx, true))
  if (accounts > 0)
    log.warn(
      { accounts },
      'accounts are paused: no card is charged for them by itself, and none of their plans expires. Look through the payments (npm run provider -- payments list), then: npm run provider -- billing resume',
    )
}
