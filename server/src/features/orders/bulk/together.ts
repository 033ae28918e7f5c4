import type { BulkLine, BulkLines } from '../../../core/bulk/bulk-rules.ts'
import { foldName } from '../../../platform/gazetteer/fold-name.ts'

const folded = ({ texts }: BulkLine, column: string): string => foldName(texts[column] ?? '')

/** Lines with the same reference are one order, wherever they stand; a line without one is an order of its own. */
export function ordersOf(lines: readonly BulkLine[]): BulkLines[] {
  const orders = new Map<string | BulkLine, [BulkLine, ...BulkLine[]]>()
  for (const line of lines) {
    const { reference } = line.values
    const key = typeof reference === 'string' && reference !== '' ? reference.toLowerCase() : line
    const known = orders.get(key)
    if (known) known.push(line)
    else orders.set(key, [line])
  }
  return [...orders.values()]
}

const naming = ['receiver', 'address', 'lat', 'lon'] as const

/** Lines below each other that name the same receiver, or none, are further items for them: a stop. */
export function stopsOf(lines: BulkLines): BulkLines[] {
  const stops: [BulkLine, ...BulkLine[]][] = []
  for (const line of lines) {
    const stop = stops.at(-1)
    const goesOn = stop && naming.every((column) => ['', folded(stop[0], column)].includes(folded(line, column)))
    if (goesOn) stop.push(line)
    else stops.push([line])
  }
  return stops
}
