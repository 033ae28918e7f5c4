// The process that writes one report and ends. Its parent tells it what by message; see ../run-writer.ts.
import { stat } from 'node:fs/promises'
import type { Writable } from 'node:stream'
import { hashedFile } from '../../../platform/paper/hashed-file.ts'
import type { WriterNews, WriterOrder, Written } from '../run-writer.ts'
import { type About, openReadings } from './readings.ts'

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

async function write(order: WriterOrder): Promise<Written> {
  const { content, format, path } = order
  const readings = await openReadings(order)
  try {
    await tell({ kind: 'reading' })
    // Told before it is written: the hash of the data stands on its first page.
    const digest = await readings.digest()
    let lastPercent = 0
    const onRows = (rows: number) => {
      const percent = digest.readings === 0 ? 99 : Math.min(99, Math.round((rows / digest.readings) * 100))
      if (percent < lastPercent + 5) return
      lastPercent = percent
      void tell({ kind: 'progress', percent })
    }
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
