import { RefusedError } from '../platform/backup/refused.ts'

const wordless = ['start', 'demo', 'migrate']

/** Throws where words follow a command that takes none: `migrate --help` must not migrate. */
export function refuseWords(name: string, args: readonly string[]): void {
  if (args.length === 0 || !wordless.includes(name)) return
  throw new RefusedError(
    `Nothing is done: "${name}" takes no words. Its settings are environment variables: docs/operations.md, "Configuration".`,
  )
}
