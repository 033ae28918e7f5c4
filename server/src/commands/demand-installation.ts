import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { RefusedError } from '../platform/backup/refused.ts'
import type { Config } from '../platform/config/config.ts'

/**
 * Throws where a tool was started without the DATA_DIR of its server: it would make an installation of its own beside that one, and hardware,
 * licence keys or backup keys would be in the wrong one.
 */
export function demandInstallation({ dataDir, databaseUrl }: Pick<Config, 'dataDir' | 'databaseUrl'>): void {
  if (databaseUrl || existsSync(join(dataDir, 'postgres'))) return
  throw new RefusedError(
    `There is no installation in ${dataDir}: set DATA_DIR as the server has it. A new one is made by its first start.`,
  )
}
