// The process that writes one group's report and ends. Its parent tells it what by message; see ../run-writer.ts.
import { stat } from 'node:fs/promises'
import type { Writable } from 'node:stream'
import { hashedFile } from '../../../platform/paper/hashed-file.ts'
import type { GroupReportContent } from '../content.ts'
import type { WriterNews, WriterOrder, Written } from '../run-writer.ts'

/** Each loaded only where it is wanted; they resolve with a number of pages where there are such. */
const writers: Record<WriterOrder['format'], (out: Writable, content: GroupReportContent) => Promise<number | null>> = {
  pdf: async (out, content) => (await import('./write-pdf.ts')).writePdf(out, content),
  csv: async (out, content) => (await import('./write-csv.ts')).writeCsv(out, content),
  xlsx: async (out, content) => (await import('./write-xlsx.ts')).writeXlsx(out, content),
}

const tell = (news: WriterNews) =>
  new Promise<void>((told) => {
    if (process.send) process.send(news, () => told())
    else told()
  })

// Without its parent nobody waits for the file.
process.once('disconnect', () => process.exit(1))

async function write({ content, format, path }: WriterOrder): Promise<Written> {
  const file = hashedFile(path)
  const pages = await writers[format](file.stream, content)
  const fileSha256 = await file.end()
  if ((await stat(path)).size === 0) throw new Error('nothing was written')
  return { pages, fileSha256 }
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
