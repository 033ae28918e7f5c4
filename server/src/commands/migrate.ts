import { migrate } from '../platform/db/migrate.ts'
import { openDatabase } from '../platform/db/open-database.ts'
import { createLog } from '../platform/log/log.ts'
import type { Command } from './command.ts'

/** Brings the database up to this version's schema, beside a running server or without one. */
export const migrateCommand: Command = async (config) => {
  const log = createLog(config.logLevel)
  const database = await openDatabase(config, log, { share: true })
  try {
    await migrate(database.url, (text) => log.info(text))
    log.info('the database is up to date')
  } finally {
    await database.stop()
  }
  return 0
}
