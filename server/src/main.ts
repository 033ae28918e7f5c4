import type { Command } from './commands/command.ts'
import { endSoon } from './commands/end-soon.ts'
import { forOperator } from './commands/for-operator.ts'
import { refuseWords } from './commands/refuse-words.ts'
import { loadConfig } from './platform/config/config.ts'

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

const [name = 'start', ...args] = process.argv.slice(2)
const load = commands[name]
if (load) {
  // A command may wait for something that does not keep a process alive: without this it would end half done.
  const waiting = setInterval(() => {}, 2 ** 30)
  try {
    refuseWords(name, args)
    // The demo shows all there is.
    const config = loadConfig(name === 'demo' ? { BILLING: 'on', INSURER_TRIAL: '60', ...process.env } : process.env)
    const command = await load()
    process.exitCode = (await command(config, args)) ?? 0
    endSoon(endsWithinMs)
  } catch (error) {
    console.error(forOperator(error) ?? error)
    // Whatever a failed start left open must not keep a dead server in the process list.
    process.exit(1)
  } finally {
    clearInterval(waiting)
  }
} else {
  console.error(`No command "${name}". There are: ${Object.keys(commands).join(', ')}.`)
  process.exitCode = 2
}
