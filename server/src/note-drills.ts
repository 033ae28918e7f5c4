import { isDeskActNoted, noteDeskAct } from './core/provider/desk-log.ts'
import type { BackupStore } from './platform/backup/backup-store.ts'
import { type Drill, signDrills } from './platform/backup/drills.ts'
import { installationSecret } from './platform/config/secret.ts'
import type { SigningKeys } from './platform/config/signing-keys.ts'
import { createPool, type Pool } from './platform/db/pool.ts'
import { asLogin } from './platform/db/transaction.ts'
import type { Log } from './platform/log/log.ts'

interface DrillNotes {
  store: BackupStore
  keys: SigningKeys
  dataDir: string
  url: string
  log: Log
}

const act = 'backup.drilled'

/** Signs what drills left beside the backup and notes each in the log of the provider's desk, once. Returns the names of what is not proven. */
export async function noteDrills({ store, keys, dataDir, url, log }: DrillNotes): Promise<string[]> {
  const pool = createPool(url, 1, (error) => log.warn({ err: error }, 'database connection'))
  try {
    const secret = await installationSecret(dataDir)
    return await signDrills(store, { keys, secret }, (name, drill) => noteOnce(pool, name, drill))
  } finally {
    await pool.end()
  }
}

async function noteOnce(pool: Pool, target: string, { operator, ...after }: Drill): Promise<void> {
  await asLogin(pool, async ({ tx }) => {
    if (!(await isDeskActNoted(tx, { act, target })))
      await noteDeskAct(tx, { operator, act, target, after }, new Date())
  })
}
