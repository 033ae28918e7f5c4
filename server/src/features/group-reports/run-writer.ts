import { startWriterProcess } from '../../reporting/writer-process.ts'
import type { GroupReportContent } from './content.ts'

/** The input of the writing process. */
export interface WriterOrder {
  content: GroupReportContent
  format: 'pdf' | 'csv' | 'xlsx'
  path: string
}

/** The facts about a written file; `pages` is null for anything but a PDF. */
export interface Written {
  pages: number | null
  /** Hex. */
  fileSha256: string
}

const main = new URL('./writer/main.ts', import.meta.url)

/** Writes a file in a process of its own. */
export const runWriter = (order: WriterOrder): Promise<Written> =>
  startWriterProcess<Written>({ main, order, heapMb: 144, longestMs: 5 * 60_000 }).written
