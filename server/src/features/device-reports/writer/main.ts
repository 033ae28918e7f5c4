// The process that writes one report and ends. Its parent tells it what by message; see ../run-writer.ts.
import type { Writable } from 'node:stream'
import { onOrder, tell, writeFile } from '../../../reporting/writing.ts'
import { isOfRecord, type RecordContent, type ReportContent } from '../content.ts'
import type { WriterNews, WriterOrder, Written } from '../run-writer.ts'
import { openReadings, type ReportSource } from './readings.ts'
import { openRecordReadings } from './record/readings.ts'

/** Each loaded only where it is wanted; they resolve with a number of pages where there are such. */
const writers: Record<WriterOrder['format'], (out: Writable, about: ReportSource) => Promise<number | null>> = {
  pdf: async (out, about) => (await import('./write-pdf.ts')).writePdf(out, about),
  csv: async (out, about) => (await import('./write-csv.ts')).writeCsv(out, about),
  xlsx: async (out, about) => (await import('./write-xlsx.ts')).writeXlsx(out, about),
}

/** Tells how far the report is, in steps of five percent. */
function progressOf(total: number) {
  let lastPercent = 0
  return (rows: number) => {
    const percent = total === 0 ? 99 : Math.min(99, Math.round((rows / total) * 100))
    if (percent < lastPercent + 5) return
    lastPercent = percent
    void tell<WriterNews>({ kind: 'progress', percent })
  }
}

async function write(order: WriterOrder): Promise<Written> {
  if (isOfRecord(order.content)) return writeOfRecord(order, order.content)
  const { content, format, path } = order
  const readings = await openReadings(order, content)
  try {
    await tell<WriterNews>({ kind: 'reading' })
    // Told before it is written: the hash of the data stands on its first page.
    const digest = await readings.digest()
    const onRows = progressOf(digest.readings)
    const about = { content, digest, rows: () => readings.rows(onRows) }
    return { ...digest, ...(await writeFile(path, (out) => writers[format](out, about))) }
  } finally {
    await readings.close()
  }
}

async function writeOfRecord(order: WriterOrder, content: RecordContent): Promise<Written> {
  const { writeRecord } = await import('./record/write-record.ts')
  const readings = await openRecordReadings(order, content)
  try {
    await tell<WriterNews>({ kind: 'reading' })
    const { byDevice, ...digest } = await readings.digest()
    const onRows = progressOf(digest.readings)
    let sofar = 0
    async function* rows(device: ReportContent) {
      for await (const found of readings.rowsOf(device)) {
        yield found
        sofar += found.length
        onRows(sofar)
      }
    }
    const about = { content, digest: { ...digest, byDevice }, rows }
    return { ...digest, ...(await writeFile(order.path, (out) => writeRecord(out, about))) }
  } finally {
    await readings.close()
  }
}

onOrder(write)
