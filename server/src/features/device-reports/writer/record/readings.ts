import { createHash } from 'node:crypto'
import { canonical } from '../../../../platform/audit/audit.ts'
import { lineOf, openSnapshot, type Row } from '../../../../reporting/readings.ts'
import type { RecordContent, ReportContent } from '../../content.ts'
import type { WriterOrder } from '../../run-writer.ts'
import { type Digest, evidenceOf } from '../readings.ts'

/** The source of a record's report. */
export interface AboutRecord {
  content: RecordContent
  digest: Digest & { byDevice: Map<number, number> }
  rows(device: ReportContent): AsyncIterable<Row[]>
}

/** The readings of a record's devices, as its snapshot has them and its company may see them. */
export async function openRecordReadings({ databaseUrl, snapshot }: WriterOrder, content: RecordContent) {
  const opened = await openSnapshot(databaseUrl, snapshot, content.companyId)
  const rowsOf = ({ deviceId, period, until }: ReportContent) => opened.rows(deviceId, Date.parse(period.from), until)
  return {
    rowsOf,
    /** SHA-256 over the canonical JSON of the record and its devices, each followed by a line for every reading of it. */
    async digest(): Promise<AboutRecord['digest']> {
      const hash = createHash('sha256').update(`${canonical(JSON.parse(JSON.stringify(evidenceOfRecord(content))))}\n`)
      const byDevice = new Map<number, number>()
      for (const device of content.devices) {
        hash.update(`${canonical(JSON.parse(JSON.stringify(evidenceOf(device))))}\n`)
        let readings = 0
        for await (const found of rowsOf(device)) {
          hash.update(found.map(lineOf).join(''))
          readings += found.length
        }
        byDevice.set(device.deviceId, readings)
      }
      const readings = [...byDevice.values()].reduce((sum, count) => sum + count, 0)
      return { readings, byDevice, dataSha256: hash.digest('hex') }
    },
    close: opened.close,
  }
}

/** The evidence about the record itself: nothing that differs between two issues of the same. */
function evidenceOfRecord({ record, verdict }: RecordContent) {
  const { id, name, lot, startAt, endAt, endedBy, budget, notes, attachments, signatures } = record
  return { id, name, lot, startAt, endAt, endedBy, budget, notes, attachments, signatures, verdict }
}
