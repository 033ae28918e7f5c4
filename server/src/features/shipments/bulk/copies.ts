import type { BulkLine, BulkLines, LineFault } from '../../../core/bulk/bulk-rules.ts'
import { showShipmentNumber } from '../../../domain/shipment-number.ts'
import { sheetRule } from '../../../platform/sheets/sheet.ts'
import type { OpenCarriage } from '../check-queries.ts'

const carriages = [
  ['containerNo', 'container'],
  ['awb', 'awb'],
  ['houseAwb', 'house'],
] as const
type Column = (typeof carriages)[number][0]

/** A container number or waybill in capitals and digits alone, however it is written. */
const plain = (value: unknown): string =>
  String(value ?? '')
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]/g, '')

/** The container numbers or waybills that a file names. */
export const carriageNumbers = (lines: readonly BulkLine[], column: Column): string[] => [
  ...new Set(lines.map(({ values }) => plain(values[column])).filter(Boolean)),
]

/** The day on which a thing departs, where it says one. */
function departureOf(thing: BulkLines): string | null {
  const said = (column: string) => thing.map(({ values }) => values[column]).find((value) => typeof value === 'string')
  return (said('etd') ?? said('departureOn'))?.slice(0, 10) ?? null
}

/** A day that is not known may be any. */
const mayBeSame = (one: string | null, other: string | null) => one === null || other === null || one === other

/** Rows without a reference that say the same in every column: nothing tells them apart. */
function sameRows(things: readonly BulkLines[]): LineFault[] {
  const first = new Map<string, number>()
  return things.flatMap(([line]) => {
    if (line.values.reference) return []
    const said = JSON.stringify(Object.entries(line.texts).filter(([, text]) => text.trim() !== ''))
    const row = first.get(said)
    if (row === undefined) first.set(said, line.row)
    return row === undefined ? [] : [{ line, column: null, message: sheetRule('sameRow', { row }) }]
  })
}

/** Copies among the shipments of a file, and of those of the company that are not over. */
export const findCopies =
  ({ open }: { open: readonly OpenCarriage[] }) =>
  (things: readonly BulkLines[]): { faults: LineFault[]; warnings: LineFault[] } => {
    const warnings: LineFault[] = []
    for (const [column, key] of carriages) {
      const known = Map.groupBy(open, (one) => one[key])
      const seen = new Map<string, { row: number; departure: string | null }[]>()
      for (const thing of things) {
        const line = thing.find(({ values }) => plain(values[column]) !== '')
        if (!line) continue
        const number = plain(line.values[column])
        const departure = departureOf(thing)
        const warn = (name: string, values: Record<string, string | number>) =>
          warnings.push({ line, column, message: sheetRule(name, values) })
        const before = seen.get(number) ?? []
        const same = before.find((one) => mayBeSame(one.departure, departure))
        if (same) warn('sameCarriage', { row: same.row })
        else seen.set(number, [...before, { row: line.row, departure }])
        const shipment = known.get(number)?.find((one) => mayBeSame(one.departure, departure))
        if (shipment) warn('openCarriage', { shipment: showShipmentNumber(shipment.number) })
      }
    }
    return { faults: sameRows(things), warnings }
  }
