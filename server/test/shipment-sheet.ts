import type { MadePlace } from './shipment-factory.ts'

export const shipmentHeads = [
  ...['reference', 'logistics', 'product', 'origin', 'destination', 'mode', 'fromPort', 'toPort', 'etd', 'eta'],
  ...['containerNo', 'pallets', 'grossWeightKg', 'setPointC', 'containerUnchecked', 'devices'],
  ...['gtin', 'gtinUnchecked', 'imo', 'imoUnchecked', 'quantity', 'quantityUnit', 'minC', 'maxC'],
  ...['awb', 'houseAwb'],
]

/** A file of shipments from one place to another, a line for each; `change` has other cells of a line, by its number from 0. */
export function shipmentSheet(
  ends: { origin: MadePlace; destination: MadePlace },
  count: number,
  { change = {}, prefix = 'PO', from = Date.now() }: SheetOptions = {},
): string {
  const day = (after: number) => new Date(from + after * 86_400_000).toISOString().slice(0, 10)
  const lines = Array.from({ length: count }, (_, n) => {
    const cells: Record<string, string> = {
      ...{ reference: `${prefix} ${n + 1}`, logistics: 'external', product: 'Oranges', mode: 'sea' },
      ...{ origin: ends.origin.name, destination: ends.destination.name, fromPort: 'ZACPT', toPort: 'NLRTM' },
      ...{ etd: `${day(5 + (n % 50))} 18:00`, eta: `${day(25 + (n % 50))} 06:00`, containerNo: 'CSQU3054383' },
      ...{ pallets: String(1 + (n % 20)), grossWeightKg: '21500,5', setPointC: '4' },
      ...change[n],
    }
    return shipmentHeads.map((name) => `"${cells[name] ?? ''}"`).join(';')
  })
  return [shipmentHeads.join(';'), ...lines].join('\r\n')
}

interface SheetOptions {
  change?: Record<number, Record<string, string>>
  prefix?: string
  from?: number
}
