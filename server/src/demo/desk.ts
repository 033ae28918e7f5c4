import { provider } from '../commands/provider/provider.ts'
import type { Services } from '../platform/services.ts'

/** Runs one of the desk's commands as an operator does, in silence; what it says if it fails is the error. */
export async function desk(pool: Services['pool'], ...args: string[]): Promise<void> {
  const said: string[] = []
  if ((await provider(args, { pool, out: (line) => void said.push(line) })) !== 0) throw new Error(said.join('\n'))
}
