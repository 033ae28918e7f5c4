import { PassThrough, type Writable } from 'node:stream'
import { charts } from '../../../reporting/chart.ts'
import { excursionTable } from '../../../reporting/excursion-table.ts'
import { periodText } from '../../../reporting/facts.ts'
import { openPaper, type Paper } from '../../../reporting/paper.ts'
import { readingsTable, rowsPerPage } from '../../../reporting/readings-table.ts'
import { wordsOf } from '../../../reporting/words.ts'
import type { ReportContent } from '../content.ts'
import { cover } from './pdf/cover.ts'
import { figures } from './pdf/figures.ts'
import { type Ground, groundOf, mapSketch } from './pdf/map-sketch.ts'
import { type Digest, judgeBy, type ReportSource } from './readings.ts'

/** Writes the report as a PDF and resolves with its number of pages. */
export async function writePdf(out: Writable, { content, digest, rows }: ReportSource): Promise<number> {
  const ground = await groundOf(content)
  // Laid out twice: the first time only to know how many pages there will be.
  const counted = paperOf(content, null)
  counted.doc.resume()
  layOut(counted, content, digest, ground)
  counted.doc.end()
  const total = counted.pages + Math.ceil(digest.readings / rowsPerPage)
  const paper = paperOf(content, total)
  // Between the two, so that the document is asked for no more than the file has taken.
  const between = new PassThrough({ highWaterMark: 64 * 1024 })
  paper.doc.pipe(between).pipe(out)
  layOut(paper, content, digest, ground)
  const table = readingsTable(paper, judgeBy(content.rules))
  for await (const found of rows()) {
    table.add(found)
    await drawn(paper)
  }
  paper.doc.end()
  if (paper.pages !== total) throw new Error(`${paper.pages} pages were written, not the ${total} printed on them`)
  return total
}

/** Resolves once the file has taken what was drawn so far. */
async function drawn({ doc }: Paper) {
  do await new Promise((later) => setImmediate(later))
  while (doc.readableLength > 256 * 1024)
}

function paperOf(content: ReportContent, total: number | null): Paper {
  const words = wordsOf(content.locale, content.zone)
  const { clock, t } = words
  const title = t('title', { device: content.device.name })
  return openPaper(
    words,
    { title, author: content.company, locale: content.locale },
    {
      head: `${content.company} · ${content.device.name} · ${periodText(words, content.period)}`,
      foot: `Isotherm · ${content.key} · ${clock.minute(content.issuedAt)}`,
      total,
    },
  )
}

function layOut(paper: Paper, content: ReportContent, digest: Digest, ground: Ground | null) {
  paper.newPage()
  cover(paper, content, digest)
  figures(paper, content, digest)
  charts(paper, content)
  mapSketch(paper, content, ground)
  excursionTable(paper, content)
}
