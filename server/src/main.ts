import type { Command } from './commands/command.ts'
import { endSoon } from './commands/end-soon.ts'
import { RefusedError } from './platform/backup/refused.ts'
import { ConfigError, loadConfig } from './platform/config/config.ts'
import { LockedError } from './platform/db/embedded/lock.ts'
import { StartError } from './platform/db/embedded/postmaster.ts'

/** Loaded only when asked for: `migrate` needs no web server. */
const commands: Record<string, () => Promise<Command>> = {
  start: async () => (await import('./commands/start.ts')).startCommand,
  demo: async () => (await import('./commands/demo.ts')).demoCommand,
  migrate: async () => (await import('./commands/migrate.ts')).migrateCommand,
  backup: async () => (await import('./commands/backup.ts')).backupCommand,
  restore: async () => (await import('./commands/restore.ts')).restoreCommand,
  files: async () => (await import('./commands/files.ts')).filesCommand,
  provider: async () => (await import('./commands/provider.ts')).providerCommand,
}

/** So long something may be left open once a command is done. */
const endsWithinMs = 10_000

/** Errors whose message is all that an operator needs. */
const forOperators = [ConfigError, LockedError, StartError, RefusedError]

const [name = 'start', ...args] = process.argv.slice(2)
const load = commands[name]
if (load) {
  // A command may wait for something that does not keep a process alive: without this it would end half done.
  const waiting = setInterval(() => {}, 2 ** 30)
  try {
    // The demo shows all there is.
    const config = loadConfig(name === 'demo' ? { BILLING: 'on', INSURER_TRIAL: '60', ...process.env } : process.env)
    const command = await load()
    process.exitCode = (await command(config, args)) ?? 0
    endSoon(endsWithinMs)
  } catch (error) {
    console.error(forOperator(error))
    // Whatever a failed start left open must not keep a dead server in the process list.
    process.exit(1)
  } finally {
    clearInterval(waiting)
  }
} else {
  console.error(`No command "${name}". There are: ${Object.keys(commands).join(', ')}.`)
  process.exitCode = 2
}

/** An error that the operator can mend is shown as a sentence: a stack would only hide it. */
function forOperator(error: unknown): unknown {
  if (forOperators.some((kind) => error instanceof kind)) return (error as Error).message
  const { code = '', port, message } = error as { code?: string; port?: number; message?: string }
  if (code.startsWith('ERR_PARSE_ARGS')) return message
  if (code === 'EADDRINUSE') return `Port ${port} is taken: set PORT, MQTT_PORT or METRICS_PORT to another.`
  return error
}
