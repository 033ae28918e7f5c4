// The process that writes one report and ends. Its parent tells it what by message; see ../run-writer.ts.
import { stat } from 'node:fs/promises'
import type { Writable } from 'node:stream'
import { hashedFile } from '../../../platform/paper/hashed-file.ts'
import { isOfRecord, type RecordContent, type ReportContent } from '../content.ts'
import type { WriterNews, WriterOrder, Written } from '../run-writer.ts'
import { type About, openReadings } from './readings.ts'
import { openRecordReadings } from './record/readings.ts'

/** Each loaded only where it is wanted; they resolve with a number of pages where there are such. */
const writers: Record<WriterOrder['format'], (out: Writable, about: About) => Promise<number | null>> = {
  pdf: async (out, about) => (await import('./write-pdf.ts')).writePdf(out, about),
  csv: async (out, about) => (await import('./write-csv.ts')).writeCsv(out, about),
  xlsx: async (out, about) => (await import('./write-xlsx.ts')).writeXlsx(out, about),
}

const tell = (news: WriterNews) =>
  new Promise<void>((told) => {
    if (process.send) process.send(news, () => told())
    else told()
  })

// Without its parent nobody waits for the file.
process.once('disconnect', () => process.exit(1))

/** Tells how far the report is, in steps of five percent. */
function progressOf(total: number) {
  let lastPercent = 0
  return (rows: number) => {
    const percent = total === 0 ? 99 : Math.min(99, Math.round((rows / total) * 100))
    if (percent < lastPercent + 5) return
    lastPercent = percent
    void tell({ kind: 'progress', percent })
  }
}

async function write(order: WriterOrder): Promise<Written> {
  if (isOfRecord(order.content)) return writeOfRecord(order, order.content)
  const { content, format, path } = order
  const readings = await openReadings(order, content)
  try {
    await tell({ kind: 'reading' })
    // Told before it is written: the hash of the data stands on its first page.
    const digest = await readings.digest()
    const onRows = progressOf(digest.readings)
    const file = hashedFile(path)
    const about = { content, digest, rows: () => readings.rows(onRows) }
    const pages = await writers[format](file.stream, about)
    const fileSha256 = await file.end()
    if ((await stat(path)).size === 0) throw new Error('nothing was written')
    return { ...digest, pages, fileSha256 }
  } finally {
    await readings.close()
  }
}

async function writeOfRecord(order: WriterOrder, content: RecordContent): Promise<Written> {
  const { writeRecord } = await import('./record/write-record.ts')
  const readings = await openRecordReadings(order, content)
  try {
    await tell({ kind: 'reading' })
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
    const file = hashedFile(order.path)
    const pages = await writeRecord(file.stream, { content, digest: { ...digest, byDevice }, rows })
    return { ...digest, pages, fileSha256: await file.end() }
  } finally {
    await readings.close()
  }
}

process.once('message', async (order: WriterOrder) => {
  try {
    await tell({ kind: 'written', written: await write(order) })
  } catch (error) {
    console.error(error)
    await tell({ kind: 'failed', reason: error instanceof Error ? error.message : String(error) })
    process.exitCode = 1
  }
  process.disconnect()
})
