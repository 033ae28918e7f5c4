import type { Command } from '../main.ts'
import { start } from '../start.ts'

/** Runs the server until SIGINT or SIGTERM, which drain it; a second one ends it at once. */
export const startCommand: Command = async (config) => {
  const asked = askedToStop()
  const { stop, services } = await start(config)
  services.log.info({ signal: await asked }, 'stopping')
  await stop()
  return 0
}

/** Resolves with the first signal to stop; a second one ends the process at once. */
export function askedToStop(): Promise<NodeJS.Signals> {
  return new Promise((done) => {
    let seen = 0
    for (const name of ['SIGINT', 'SIGTERM'] as const) {
      process.on(name, () => (seen++ ? process.exit(1) : done(name)))
    }
  })
}
