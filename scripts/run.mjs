// The one entrance behind every npm script: installs what is missing, then runs the command with the pinned Node.
// Plain JavaScript for the machine's own Node (18 or newer), because nothing is installed when it starts.
import { buildClient } from './run/client.mjs'
import { asvs, bench, deployTry, serve } from './run/commands.mjs'
import { ensureInstalled } from './run/install.mjs'
import { inRoot } from './run/paths.mjs'
import { runNode } from './run/processes.mjs'
import { test } from './run/test.mjs'
import { verify } from './run/verify.mjs'

const commands = {
  start: (args) => serve('start', args, { web: true }),
  demo: (args) => serve('demo', args, { web: true }),
  migrate: (args) => serve('migrate', args),
  backup: (args) => serve('backup', args),
  restore: (args) => serve('restore', args),
  files: (args) => serve('files', args),
  provider: (args) => serve('provider', args),
  schema: () => runNode([inRoot('server/test/write-schema.ts')]),
  test,
  verify,
  bench,
  client: () => buildClient(),
  api: () => runNode([inRoot('scripts/check-api.mjs'), '--renew']),
  'deploy-try': deployTry,
  asvs,
}

// Node keeps what it made of our TypeScript: a server, and each process that it starts, is there in two thirds of the time.
process.env.NODE_COMPILE_CACHE ??= inRoot('.cache/compile')

const [name = '', ...args] = process.argv.slice(2)
const command = commands[name]
if (command) {
  try {
    ensureInstalled({
      development: ['test', 'verify', 'bench', 'schema', 'client', 'api', 'asvs', 'deploy-try'].includes(name),
    })
    process.exitCode = await command(args)
  } catch (error) {
    console.error(`\n${name}: ${error.message}`)
    process.exitCode = 1
  }
} else {
  console.error(`Usage: npm run <command>\nCommands: ${Object.keys(commands).join(', ')}`)
  process.exitCode = 2
}
