/** The columns of a row of a file of orders, by their names in the API. */
export type OrderCells = Record<string, string>

const usual = (n: number, day: string): OrderCells => ({
  ...{ reference: `SO ${n}`, sender: 'Cold Store', pickup: 'Ikeja', pickupLat: '6.6018', pickupLon: '3.3515' },
  ...{ deliverBy: `${day} 17:00`, receiver: `Clinic ${n}`, address: `Apapa ${n}`, lat: '6.4489', lon: '3.3592' },
  ...{ item: 'Vaccine box', quantity: '2', weightKg: '4.5', worth: '500.00' },
})

interface Options {
  /** Cells of rows that differ, by the row from 0. */
  change?: Record<number, OrderCells>
  prefix?: string
}

/** A CSV of so many orders in Lagos, to be delivered three days after `from`; an empty cell where a change says ''. */
export function orderSheet(count: number, from: number, { change = {}, prefix = 'SO' }: Options = {}): string {
  const day = new Date(from + 3 * 86_400_000).toISOString().slice(0, 10)
  const rows = Array.from({ length: count }, (_, n) => ({
    ...{ ...usual(n + 1, day), reference: `${prefix} ${n + 1}` },
    ...change[n],
  }))
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const quoted = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
  return [columns, ...rows.map((row: OrderCells) => columns.map((column) => quoted(row[column] ?? '')))]
    .map((cells) => cells.join(','))
    .join('\r\n')
}
