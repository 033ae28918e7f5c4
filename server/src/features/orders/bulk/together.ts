import type { BulkLine, BulkLines } from '../../../core/bulk/bulk-rules.ts'
import { foldName } from '../../../platform/gazetteer/fold-name.ts'

const folded = ({ texts }: BulkLine, column: string): string => foldName(texts[column] ?? '')

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
