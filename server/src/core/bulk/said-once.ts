import { lowerCase } from '../../platform/db/lower-case.ts'
import { sheetRule } from '../../platform/sheets/sheet.ts'
import type { BulkLine, BulkLines, ThingFault } from './bulk-rules.ts'

const shownValue = 60

/** The values of columns that several lines share: the first that says something. Another one that says something else has a fault. */
export function saidOnce(lines: BulkLines, columns: readonly string[], rule: string) {
  const values: Record<string, unknown> = {}
  const from: Record<string, BulkLine> = {}
  const faults: ThingFault[] = []
  for (const column of columns)
    for (const line of lines) {
      const text = line.texts[column]?.trim() ?? ''
      if (text === '') continue
      const first = from[column]
      if (!first) {
        from[column] = line
        if (column in line.values) values[column] = line.values[column]
        continue
      }
      const said = first.texts[column]?.trim() ?? ''
      if (lowerCase(said) !== lowerCase(text))
        faults.push({ line, column, message: sheetRule(rule, { row: first.row, value: said.slice(0, shownValue) }) })
    }
  return { values, from, faults }
}
