import { start } from '../start.ts'
import type { Command } from './command.ts'

/** Runs the server until SIGINT, SIGTERM or SIGHUP (the terminal was closed), which drain it; a second one ends it at once. */
export const startCommand: Command = async (config) => {
  const asked = askedToStop()
  const { stop, refused, services } = await start(config)
  const reason = await Promise.race([asked, refused])
  if (reason instanceof Error) services.log.fatal(reason.message)
  else services.log.info({ signal: reason }, 'stopping')
  await stop()
  return reason instanceof Error ? 1 : 0
}

/**
 * Resolves with the first signal to stop; one that comes a second or more later ends the process at once. Within that
 * second it is the same wish: npm passes on a signal that the terminal has sent to the whole group already.
 */
export function askedToStop(): Promise<NodeJS.Signals> {
  return new Promise((done) => {
    let first = 0
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(name, () => {
        if (first && Date.now() - first > 1000) process.exit(1)
        first ||= Date.now()
        done(name)
      })
    }
  })
}
