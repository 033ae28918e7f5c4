// The process that writes one group's report and ends. Its parent tells it what by message; see ../run-writer.ts.
import type { Writable } from 'node:stream'
import { onOrder, writeFile } from '../../../reporting/writing.ts'
import type { GroupReportContent } from '../content.ts'
import type { WriterOrder, Written } from '../run-writer.ts'

/** Each loaded only where it is wanted; they resolve with a number of pages where there are such. */
const writers: Record<WriterOrder['format'], (out: Writable, content: GroupReportContent) => Promise<number | null>> = {
  pdf: async (out, content) => (await import('./write-pdf.ts')).writePdf(out, content),
  csv: async (out, content) => (await import('./write-csv.ts')).writeCsv(out, content),
  xlsx: async (out, content) => (await import('./write-xlsx.ts')).writeXlsx(out, content),
}

onOrder<WriterOrder, Written>(({ content, format, path }) => writeFile(path, (out) => writers[format](out, content)))
