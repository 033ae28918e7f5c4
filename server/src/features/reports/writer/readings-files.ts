import type { Transform } from 'node:stream'
import type { ReportFormat } from '@isotherm/contract/device-reports.ts'
import { translate } from '../../../platform/i18n/i18n.ts'
import { columnsOfDevice, noDevice } from '../../../reporting/reading-columns.ts'
import { type Cell, type Table, writeCsv } from '../../../reporting/tables.ts'
import type { Source } from '../../../reporting/writer-process.ts'
import { writeLongSheet } from '../../../reporting/xlsx.ts'
import type { DeviceDetail, Part, RunOrder } from './order.ts'

/** A device whose readings are written once all devices are known. */
export type ReadingsDevice = Pick<DeviceDetail, 'deviceId' | 'name' | 'until' | 'rules'>
type ReadRows = Source<never>['rows']

/** The readings of every device, one after the other: a stream, however many. */
export async function readingsFiles(
  order: RunOrder,
  readRows: ReadRows,
  devices: readonly ReadingsDevice[],
  files: readonly { part: Part; format: ReportFormat; file: { stream: Transform } }[],
  onShare: (share: number) => void,
): Promise<void> {
  const wanted = files.filter(({ part }) => part === 'readings')
  for (const [index, { format, file }] of wanted.entries()) {
    const table: Table = {
      name: translate(order.locale, 'reports:contents.readings'),
      heads: columnsOfDevice(order, noDevice),
      rows: rowsOf(order, readRows, devices, (share) => onShare((index + share) / wanted.length)),
    }
    await (format === 'csv' ? writeCsv : writeLongSheet)(file.stream, table, order.zone)
  }
}

async function* rowsOf(
  order: RunOrder,
  readRows: ReadRows,
  devices: readonly ReadingsDevice[],
  onShare: (share: number) => void,
): AsyncGenerator<Cell[][]> {
  const from = Date.parse(order.period.from)
  for (const [index, device] of devices.entries()) {
    const columns = columnsOfDevice(order, device)
    for await (const rows of readRows(device.deviceId, from, device.until))
      yield rows.map((row) => columns.map(({ value }) => value(row)))
    onShare((index + 1) / devices.length)
  }
}
