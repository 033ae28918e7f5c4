import type { Writable } from 'node:stream'
import { maxReadingsInWorkbook, type ReportFormat } from '@isotherm/contract/device-reports.ts'
import { digestOf } from './digest.ts'
import { hashedFile } from './hashed-file.ts'
import type { Layout, MeasuredDevice, Source } from './layout.ts'
import type { Row } from './readings.ts'
import type { Proof, ReportHead } from './report-head.ts'
import { writeCsv } from './tables.ts'
import { wordsOf } from './words.ts'
import type { Writer } from './writer-process.ts'

export type FileFormat = ReportFormat | 'zip'

/** A report that is one file; its content is the one part. */
export interface FileOrder {
  /** The address of a module whose `layout` is a Layout of the content. */
  layout: string
  format: FileFormat
  path: string
}

/** The facts about a written file; hashes in hex. */
export interface WrittenFile {
  readings: number
  /** Null of anything but a PDF. */
  pages: number | null
  dataSha256: string
  fileSha256: string
}

type Content = ReportHead & Partial<Proof>
type FormatWriter = (out: Writable, layout: Layout<Content>, source: Source<Content>) => Promise<number | null>

// The code of PDF and XLSX is loaded only where it is wanted. The writers resolve with a number of pages where there are such.
const writers: Record<FileFormat, FormatWriter> = {
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
    const { contents } = source.content
    if (contents.includes('readings') && source.digest.readings > maxReadingsInWorkbook)
      await writeLongSheet(out, given(layout.table?.(source)), zone)
    else await writeBook(out, given(layout.sheets?.(source)), zone)
    return null
  },
  async zip(out, layout, source) {
    const { writeZip } = await import('./zip.ts')
    let pages: number | null = null
    const pdf = {
      name: `${fileTitle((await layout.pdf(source)).title)}.pdf`,
      write: async (to: Writable) => {
        pages = await writers.pdf(to, layout, source)
      },
    }
    await writeZip(out, [pdf, ...given(layout.files?.(source))], new Date(source.content.issuedAt))
    return pages
  },
}

/** A title as the name of a file: no sign that Windows refuses. */
const fileTitle = (title: string) => title.replace(/\s*[<>:"/\\|?*]+\s*/g, ' - ').trim()

function given<T>(made: T | undefined): T {
  if (made === undefined) throw new Error('this report has no such format')
  return made
}

export const write: Writer<FileOrder, Content, WrittenFile> = async (order, { next, rows, tellShare }) => {
  const { layout } = (await import(order.layout)) as { layout: Layout<Content> }
  const content = await next()
  const readingsOf = ({ deviceId, from, until }: MeasuredDevice) => rows(deviceId, from, until)
  // Told before it is written: the hash of the data stands on its first page.
  const digest = await digestOf(layout.data?.(content), readingsOf)
  let sofar = 0
  async function* rowsTold(device: MeasuredDevice): AsyncGenerator<Row[]> {
    for await (const found of readingsOf(device)) {
      yield found
      sofar += found.length
      tellShare(sofar / digest.readings)
    }
  }
  const source = { content, digest, words: wordsOf(content.locale, content.zone), rows: rowsTold }
  const file = hashedFile(order.path)
  const pages = await writers[order.format](file.stream, layout, source)
  const { readings, dataSha256 } = digest
  return { readings, pages, dataSha256, fileSha256: await file.end() }
}
