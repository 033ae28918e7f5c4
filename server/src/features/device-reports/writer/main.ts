// The process that writes one report and ends. Its parent tells it what by message; see ../run-writer.ts.
import { stat } from 'node:fs/promises'
import type { WriterNews, WriterOrder, Written } from '../run-writer.ts'
import { hashedFile } from './hashed-file.ts'
import { openReadings } from './readings.ts'
import { writeCsv } from './write-csv.ts'
import { writePdf } from './write-pdf.ts'
import { writeXlsx } from './write-xlsx.ts'

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
    const pages = format === 'pdf' ? await writePdf(file.stream, about) : null
    if (format === 'csv') await writeCsv(file.stream, about)
    if (format === 'xlsx') await writeXlsx(file.stream, about)
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
