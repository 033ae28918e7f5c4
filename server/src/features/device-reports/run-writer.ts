import { startWriterProcess } from '../../reporting/writer-process.ts'
import type { RecordContent, ReportContent } from './content.ts'

/** The input of the writing process. */
export interface WriterOrder {
  databaseUrl: string
  /** The snapshot of the transaction that gathered the content: readings are read as it saw them. */
  snapshot: string
  content: ReportContent | RecordContent
  format: 'pdf' | 'csv' | 'xlsx'
  path: string
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

const main = new URL('./writer/main.ts', import.meta.url)

/**
 * Writes a file in a process of its own. `reading` resolves once it reads by the snapshot, `written` when the file is whole;
 * both reject when the process fails. Two years of readings need no larger heap: a report is a stream.
 */
export function runWriter({ onProgress, ...order }: WriterOrder & { onProgress: (percent: number) => void }) {
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
