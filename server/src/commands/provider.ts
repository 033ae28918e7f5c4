import { migrate } from '../platform/db/migrate.ts'
import { openDatabase } from '../platform/db/open-database.ts'
import { createPool } from '../platform/db/pool.ts'
import { createLog } from '../platform/log/log.ts'
import type { Command } from './command.ts'
import { demandInstallation } from './demand-installation.ts'
import { provider } from './provider/provider.ts'
import { helpFor } from './provider/usage.ts'

/** The provider's desk, beside a running server or without one. */
export const providerCommand: Command = async (config, args) => {
  if (args.length === 0 || args.includes('--help') || args.includes('-h')) {
    console.log(helpFor(args.filter((word) => !word.startsWith('-'))))
    return args.length === 0 ? 2 : 0
  }
  demandInstallation(config)
  const log = createLog(config.logLevel === 'info' ? 'warn' : config.logLevel)
  const database = await openDatabase(config, log, { share: true })
  try {
    await migrate(database.url)
    const pool = createPool(database.url, 2, (error) => log.warn({ err: error }, 'database connection'))
    const { dataDir, publicUrl } = config
    const code = await provider(args, { pool, dataDir, publicUrl, out: console.log, warn: console.error })
    await pool.end()
    return code
  } finally {
    await database.stop()
  }
}
