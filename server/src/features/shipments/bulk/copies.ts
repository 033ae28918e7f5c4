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

/** Things with one number: the first of all, and the first of each departure. */
class Alike<T extends { departure: string | null }> {
  private first: T | undefined
  private readonly byDeparture = new Map<string | null, T>()

  constructor(things: Iterable<T> = []) {
    for (const one of things) this.add(one)
  }

  add(one: T): void {
    this.first ??= one
    if (!this.byDeparture.has(one.departure)) this.byDeparture.set(one.departure, one)
  }

  /** The first with the same departure, else the first that may have it: a day that is not known may be any. */
  like(departure: string | null): { one: T; isDated: boolean } | undefined {
    const same = departure === null ? undefined : this.byDeparture.get(departure)
    const one = same ?? (departure === null ? this.first : this.byDeparture.get(null))
    return one && { one, isDated: same !== undefined }
  }
}

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
      const known = new Map([...Map.groupBy(open, (one) => one[key])].map(([number, all]) => [number, new Alike(all)]))
      const seen = new Map<string, Alike<{ row: number; departure: string | null }>>()
      for (const thing of things) {
        const line = thing.find(({ values }) => plain(values[column]) !== '')
        if (!line) continue
        const number = plain(line.values[column])
        const departure = departureOf(thing)
        const warn = (name: string, values: Record<string, string | number>) =>
          warnings.push({ line, column, message: sheetRule(name, values) })
        const before = seen.get(number) ?? new Alike()
        const same = before.like(departure)
        if (same) warn(same.isDated ? 'sameCarriage' : 'sameCarriageUndated', { row: same.one.row })
        before.add({ row: line.row, departure })
        seen.set(number, before)
        const shipment = known.get(number)?.like(departure)
        if (shipment)
          warn(shipment.isDated ? 'openCarriage' : 'openCarriageUndated', {
            shipment: showShipmentNumber(shipment.one.number),
          })
      }
    }
    return { faults: sameRows(things), warnings }
  }
