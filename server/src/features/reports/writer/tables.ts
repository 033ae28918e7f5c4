import type { Writable } from 'node:stream'
import type { ReportFormat } from '@isotherm/contract/device-reports.ts'
import { translate } from '../../../platform/i18n/i18n.ts'
import { type DeviceTable, deviceTables, headsOf, rowsOf } from '../../../reporting/device-tables.ts'
import { type Cell, type Table, writeCsv } from '../../../reporting/tables.ts'
import { writeBook } from '../../../reporting/xlsx.ts'
import { type DeviceDetail, maxLines, type Part, type RunOrder } from './order.ts'

/** The rows of a table so far, of which no more are kept than a file has. */
function openTable<Row>({ locale, zone }: RunOrder, name: string, table: DeviceTable<Row>) {
  const rows: Cell[][] = []
  let leftOut = 0
  return {
    add(device: DeviceDetail) {
      const more = rowsOf(locale, table, device)
      const kept = more.slice(0, Math.max(0, maxLines.ofTable - rows.length))
      rows.push(...kept)
      leftOut += more.length - kept.length
    },
    table(): Table {
      const heads = headsOf(locale, zone, table)
      const number = new Intl.NumberFormat(locale).format(leftOut)
      const last = [translate(locale, 'reports:document.leftOut', { number }), ...heads.slice(1).map(() => null)]
      return {
        name: translate(locale, `reports:contents.${name}`),
        heads,
        rows: [leftOut > 0 ? [...rows, last] : rows],
      }
    },
  }
}

/** The tables but the readings: a row per device, excursion or alarm, kept until all devices are known. */
export function openTables(order: RunOrder) {
  const all = {
    stats: openTable(order, 'stats', deviceTables.stats),
    excursions: openTable(order, 'excursions', deviceTables.excursions),
    alarms: openTable(order, 'alarms', deviceTables.alarms),
  }
  const chosen = Object.entries(all).filter(([name]) => order.contents.includes(name as keyof typeof all))
  return {
    add(device: DeviceDetail) {
      for (const [, table] of chosen) table.add(device)
    },
    /** One table as CSV, or all of them as the sheets of a book. */
    async write(out: Writable, part: Part, format: ReportFormat) {
      const [own] = chosen.filter(([name]) => name === part)
      if (format === 'csv' && own) await writeCsv(out, own[1].table(), order.zone)
      else
        await writeBook(
          out,
          chosen.map(([, table]) => table.table()),
          order.zone,
        )
    },
  }
}
