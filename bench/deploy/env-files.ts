import { readFileSync } from 'node:fs'
import { loadConfig, variables } from '../../server/src/platform/config/config.ts'

/** Variables that the start script and Node read themselves. */
const alsoKnown = ['HEAP_MB', 'NODE_ENV']

/** The lines NAME=VALUE of a file. */
export function readVariables(path: string): Record<string, string> {
  const lines = readFileSync(path, 'utf8').split('\n')
  return Object.fromEntries(
    lines
      .filter((line) => /^[A-Z]/.test(line))
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  )
}

/** Reads the variables as a server does, each NAME_FILE as a secret of the right form; throws what a server would say, and names that nobody reads. */
export function checkVariables(given: Record<string, string>): void {
  const secrets: Record<string, string> = {
    DATABASE_URL: 'postgres://isotherm:secret@db-1:5432,db-2:5432/isotherm',
    NODE_SECRET: 'a secret of thirty-two characters or more',
    METRICS_TOKEN: 'a-token-of-twenty-characters',
  }
  const all = Object.fromEntries(
    Object.entries(given).map(([name, value]) => {
      const plain = name.replace(/_FILE$/, '')
      return plain === name ? [name, value] : [plain, secrets[plain] ?? '']
    }),
  )
  const unknown = Object.keys(all).filter((name) => !variables.includes(name) && !alsoKnown.includes(name))
  if (unknown.length > 0) throw new Error(`no server reads ${unknown.join(', ')}`)
  loadConfig(all)
}
