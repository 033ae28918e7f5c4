import { lowerCase } from '../../platform/db/lower-case.ts'
import type { BulkLine, BulkLines } from './bulk-rules.ts'

/** Lines with the same reference are one thing, wherever they stand; a line without one is a thing of its own. */
export function linesByReference(lines: readonly BulkLine[]): BulkLines[] {
  const things = new Map<string | BulkLine, [BulkLine, ...BulkLine[]]>()
  for (const line of lines) {
    const { reference } = line.values
    const key = typeof reference === 'string' && reference !== '' ? lowerCase(reference) : line
    const known = things.get(key)
    if (known) known.push(line)
    else things.set(key, [line])
  }
  return [...things.values()]
}
