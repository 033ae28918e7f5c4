import { type Config, ConfigError, loadConfig } from './platform/config/config.ts'

/** Runs with the arguments after its name; resolves with the exit code, or nothing for 0. */
export type Command = (config: Config, args: string[]) => Promise<number | undefined>

/** Loaded only when asked for: `migrate` needs no web server. */
const commands: Record<string, () => Promise<Command>> = {
  start: async () => (await import('./commands/start.ts')).startCommand,
  migrate: async () => (await import('./commands/migrate.ts')).migrateCommand,
}

const [name = 'start', ...args] = process.argv.slice(2)
const load = commands[name]
if (load) {
  try {
    const config = loadConfig(process.env)
    const command = await load()
    process.exitCode = (await command(config, args)) ?? 0
  } catch (error) {
    // A wrong configuration is the operator's to mend: the stack would only hide the sentence.
    console.error(error instanceof ConfigError ? error.message : error)
    process.exitCode = 1
  }
} else {
  console.error(`No command "${name}". There are: ${Object.keys(commands).join(', ')}.`)
  process.exitCode = 2
}
