import { writeFile } from 'node:fs/promises'
import { namedIn } from '@isotherm/contract/named.ts'
import { writeXlsx } from 'hucre/xlsx'
import type { Headings, KeptFault } from '../../core/bulk/bulk-rules.ts'
import { faultsColumn, foldHeading } from '../../core/bulk/read-lines.ts'
import { textOf } from '../../core/bulk/readers.ts'
import { translate } from '../../platform/i18n/i18n.ts'
import type { ReadSheet, SheetCell } from '../../platform/sheets/sheet.ts'
import type { BulkOrder } from './bulk-thread.ts'

const wrong = {
  fill: { type: 'pattern', pattern: 'solid', fgColor: { rgb: 'FFC7CE' } },
  font: { color: { rgb: '9C0006' } },
} as const
const bold = { font: { bold: true } } as const
const longestFaults = 2_000

const plainCell = (cell: SheetCell | undefined) =>
  cell === undefined || cell === null ? null : typeof cell === 'object' ? textOf(cell) : cell

/** Writes what came as a workbook: the wrong cells are red, and the last column tells what is wrong in a row. */
export async function writeMarked(
  { kind, locale, markedPath }: BulkOrder,
  sheet: ReadSheet,
  faults: readonly KeptFault[],
  headings: Headings,
): Promise<void> {
  const [head, ...body] = sheet.rows
  const names = new Map(
    Object.values(headings).flatMap((of) => Object.entries(of).map(([name, text]) => [foldHeading(text), name])),
  )
  const ofFile = (head?.cells ?? []).map((cell) => {
    const folded = cell === null ? '' : foldHeading(textOf(cell))
    return names.get(folded) ?? folded
  })
  // In a book that was marked before the faults are told anew.
  const shown = ofFile.flatMap((name, index) => (name === faultsColumn ? [] : [index]))
  const columns = shown.map((index) => ofFile[index] ?? '')
  const byRow = Map.groupBy(faults, ({ row }) => row)
  const cells = new Map<string, object>()
  const say = ({ column, message }: KeptFault) => {
    const text = translate(locale, `errors:${message.key}`, message.values)
    const heading = column === null ? undefined : headings[locale][column]
    return heading ? namedIn(locale, heading, text) : text
  }
  const rows = body.map(({ row, cells: values }, index) => {
    const own = byRow.get(row) ?? []
    const line = shown.map((at) => plainCell(values[at]))
    for (const { column } of own) {
      const at = columns.findIndex((name) => name.toLowerCase() === column?.toLowerCase())
      if (at >= 0) cells.set(`${index + 1},${at}`, { value: line[at] ?? null, style: wrong })
    }
    return [...line, own.map(say).join('\n').slice(0, longestFaults) || null]
  })
  const first = [...shown.map((at) => plainCell(head?.cells[at])), headings[locale][faultsColumn] ?? faultsColumn]
  for (const [at, value] of first.entries()) cells.set(`0,${at}`, { value, style: bold })
  const widths = first.map((_, at) => ({ width: at === first.length - 1 ? 60 : 18 }))
  const name = translate(locale, `bulkUploads:template.sheet.${kind}`)
  const made = { name, columns: widths, rows: [first, ...rows], cells, freezePane: { rows: 1 } }
  // Numbers of days stand as they came, so the book counts days as the one that was sent.
  const dateSystem = sheet.serialShift === 0 ? '1900' : '1904'
  await writeFile(markedPath, await writeXlsx({ sheets: [made], dateSystem }), { mode: 0o600 })
}
