// The process that writes one report as one file and ends. Its parent tells it what by message; see file-writer.ts.
import type { Writable } from 'node:stream'
import { digestOf } from './digest.ts'
import type { WriterNews, WriterOrder, Written } from './file-writer.ts'
import type { Layout, MeasuredDevice, Source } from './layout.ts'
import type { Row } from './readings.ts'
import type { Proof, ReportHead } from './report-head.ts'
import { openSnapshot } from './snapshot-queries.ts'
import { inSteps } from './steps.ts'
import { writeCsv } from './tables.ts'
import { wordsOf } from './words.ts'
import { onOrder, tell, writeFile } from './writing.ts'

type Content = ReportHead & Partial<Proof>
type FormatWriter = (out: Writable, layout: Layout<Content>, source: Source<Content>) => Promise<number | null>

/** A workbook of several sheets is made in memory; of more readings than these only the table is written, as a stream. */
const maxReadingsInWorkbook = 20_000
const everyPercent = 5

// The code of PDF and XLSX is loaded only where it is wanted. The writers resolve with a number of pages where there are such.
const writers: Record<WriterOrder['format'], FormatWriter> = {
  async pdf(out, layout, source) {
    const { writePdf } = await import('./pdf.ts')
    return writePdf(out, source.words, source.content, await layout.pdf(source))
  },
  async csv(out, layout, source) {
    await writeCsv(out, given(layout.table?.(source)), source.content.zone)
    return null
  },
  async xlsx(out, layout, source) {
    const { writeBook, writeLongSheet } = await import('./xlsx.ts')
    const { zone } = source.content
    if (source.digest.readings > maxReadingsInWorkbook) await writeLongSheet(out, given(layout.table?.(source)), zone)
    else await writeBook(out, given(layout.sheets?.(source)), zone)
    return null
  },
}

function given<T>(made: T | undefined): T {
  if (made === undefined) throw new Error('this report has no such format')
  return made
}

async function write({ layout: address, content, format, path, databaseUrl, snapshot }: WriterOrder): Promise<Written> {
  const { layout } = (await import(address)) as { layout: Layout<Content> }
  const opened = await openSnapshot(databaseUrl, snapshot, content.companyId)
  const readingsOf = ({ deviceId, from, until }: MeasuredDevice) => opened.rows(deviceId, from, until)
  try {
    await tell<WriterNews>({ kind: 'reading' })
    // Told before it is written: the hash of the data stands on its first page.
    const digest = await digestOf(layout.data?.(content), readingsOf)
    const tellPercent = inSteps(everyPercent, (percent) => void tell<WriterNews>({ kind: 'progress', percent }))
    let sofar = 0
    async function* rows(device: MeasuredDevice): AsyncGenerator<Row[]> {
      for await (const found of readingsOf(device)) {
        yield found
        sofar += found.length
        tellPercent(Math.min(99, Math.round((sofar / digest.readings) * 100)))
      }
    }
    const source = { content, digest, words: wordsOf(content.locale, content.zone), rows }
    const { readings, dataSha256 } = digest
    return { readings, dataSha256, ...(await writeFile(path, (out) => writers[format](out, layout, source))) }
  } finally {
    await opened.close()
  }
}

onOrder(write)
