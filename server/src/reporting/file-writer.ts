import type { ReportFormat } from '@isotherm/contract/device-reports.ts'
import type { Proof, ReportHead } from './report-head.ts'
import { startWriterProcess } from './writer-process.ts'

/** The input of the process that writes one file. */
export interface WriterOrder {
  /** The address of a module whose `layout` is a Layout of the content. */
  layout: string
  content: ReportHead & Partial<Proof>
  format: ReportFormat
  path: string
  databaseUrl: string
  /** The snapshot of the transaction that gathered the content: readings are read as it saw them. */
  snapshot: string
}

/** The facts about a written file; hashes in hex. */
export interface Written {
  readings: number
  /** Null of anything but a PDF. */
  pages: number | null
  dataSha256: string
  fileSha256: string
}

/** The messages of the process before its end. */
export type WriterNews = { kind: 'reading' } | { kind: 'progress'; percent: number }

const main = new URL('./write-file.ts', import.meta.url)

/**
 * Writes a file in a process of its own. `reading` resolves once it reads by the snapshot, `written` when the file is whole;
 * both reject when the process fails. Two years of readings need no larger heap: a report is a stream.
 */
export function startFileWriter(order: WriterOrder, onProgress: (percent: number) => void) {
  const reading = Promise.withResolvers<void>()
  // Nobody may be waiting for it yet when it fails.
  reading.promise.catch(() => {})
  const { written } = startWriterProcess<Written, WriterNews>({
    main,
    order,
    heapMb: 144,
    longestMs: 20 * 60_000,
    onNews: (news) => (news.kind === 'reading' ? reading.resolve() : onProgress(news.percent)),
    onFail: reading.reject,
  })
  return { reading: reading.promise, written }
}
