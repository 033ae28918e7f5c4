import { PassThrough, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type Frame, openPaper, type Paper } from './paper.ts'
import type { Judge, Row } from './readings.ts'
import { readingsTable, rowsPerPage } from './readings-table.ts'
import type { Proof, ReportHead } from './report-head.ts'
import type { Words } from './words.ts'

/** Above this number of readings (some 1,500 pages) a PDF of several devices says that it leaves them out: the tables have them. */
export const maxPrintedReadings = 100_000

/** Pages that belong together, from a new page on: what is printed, if anything, then readings. */
interface Section {
  /** The header of its pages; without one that of the document. */
  head?: string
  print?(paper: Paper): void
  readings?: { count: number; judge: Judge; rows: AsyncIterable<Row[]> }
}

export interface PdfDocument {
  title: string
  head: string
  sections: Section[]
}

/** The footer of every page: the key, if it has a public page, and when it was issued. */
export const footOf = ({ time }: Words, { key, issuedAt }: { key?: string | undefined; issuedAt: number }): string =>
  ['Isotherm', key, time(issuedAt)].filter(Boolean).join(' · ')

/** Writes a document and resolves with its number of pages. */
export async function writePdf(
  out: Writable,
  words: Words,
  head: ReportHead & Partial<Proof>,
  { sections, ...document }: PdfDocument,
): Promise<number> {
  const open = async (total: number | null) => {
    const frame: Frame = { head: document.head, foot: footOf(words, head), total }
    const { company: author, locale, logo = null } = head
    const paper = await openPaper(words, { title: document.title, author, locale, logo }, frame)
    const print = (section: Section) => {
      frame.head = section.head ?? document.head
      if (!section.print) return
      paper.newPage()
      section.print(paper)
    }
    return { paper, print }
  }
  // Laid out twice: the first time only to know how many pages there will be.
  const counted = await open(null)
  counted.paper.doc.resume()
  for (const section of sections) counted.print(section)
  counted.paper.doc.end()
  const pagesOf = ({ readings }: Section) => Math.ceil((readings?.count ?? 0) / rowsPerPage)
  const total = sections.reduce((sum, section) => sum + pagesOf(section), counted.paper.pages)
  const { paper, print } = await open(total)
  const poured = pour(paper, out)
  for (const section of sections) {
    print(section)
    if (!section.readings) continue
    const table = readingsTable(paper, section.readings.judge)
    for await (const rows of section.readings.rows) {
      table.add(rows)
      await taken(paper)
    }
  }
  paper.doc.end()
  await poured
  if (paper.pages !== total) throw new Error(`${paper.pages} pages were written, not the ${total} printed on them`)
  return paper.pages
}

/** Lets a document flow into a file as it is drawn; resolves when the file has all of it. */
export function pour({ doc }: Paper, out: Writable): Promise<void> {
  // Between the two, so that the document is asked for no more than the file has taken.
  const poured = pipeline(doc, new PassThrough({ highWaterMark: 64 * 1024 }), out)
  // Nobody may be waiting for it yet when it fails.
  poured.catch(() => {})
  return poured
}

/** Resolves once the file has taken what was drawn so far. */
export async function taken({ doc }: Paper): Promise<void> {
  do await new Promise((later) => setImmediate(later))
  while (doc.readableLength > 256 * 1024)
}
