import { PassThrough, type Writable } from 'node:stream'
import { charts } from '../../../../reporting/chart.ts'
import { excursionTable } from '../../../../reporting/excursion-table.ts'
import { dim, type Frame, ink, openPaper, type Paper, sheet, textWidth } from '../../../../reporting/paper.ts'
import { readingsTable, rowsPerPage } from '../../../../reporting/readings-table.ts'
import { printLimits, printStats } from '../../../../reporting/stats-tables.ts'
import { wordsOf } from '../../../../reporting/words.ts'
import type { RecordContent, ReportContent } from '../../content.ts'
import { type Ground, groundOf, mapSketch } from '../pdf/map-sketch.ts'
import { judgeBy } from '../readings.ts'
import { recordCover } from './cover.ts'
import type { AboutRecord } from './readings.ts'

/** Writes a record's report as a PDF and resolves with its number of pages. */
export async function writeRecord(out: Writable, { content, digest, rows }: AboutRecord): Promise<number> {
  const grounds = new Map<number, Ground | null>()
  for (const device of content.devices) grounds.set(device.deviceId, await groundOf(device))
  const ground = ({ deviceId }: ReportContent) => grounds.get(deviceId) ?? null
  // Laid out twice: the first time only to know how many pages there will be.
  const counted = paperOf(content, null)
  counted.paper.doc.resume()
  begin(counted.paper, content, digest)
  for (const device of content.devices) layOut(counted, content, device, ground(device))
  counted.paper.doc.end()
  const tables = [...digest.byDevice.values()].reduce((sum, count) => sum + Math.ceil(count / rowsPerPage), 0)
  const sheets = paperOf(content, counted.paper.pages + tables)
  const { paper } = sheets
  // Between the two, so that the document is asked for no more than the file has taken.
  const between = new PassThrough({ highWaterMark: 64 * 1024 })
  paper.doc.pipe(between).pipe(out)
  begin(paper, content, digest)
  for (const device of content.devices) {
    layOut(sheets, content, device, ground(device))
    const table = readingsTable(paper, judgeBy(device.rules))
    for await (const found of rows(device)) {
      table.add(found)
      do await new Promise((later) => setImmediate(later))
      while (paper.doc.readableLength > 256 * 1024)
    }
  }
  paper.doc.end()
  const total = counted.paper.pages + tables
  if (paper.pages !== total) throw new Error(`${paper.pages} pages were written, not the ${total} printed on them`)
  return total
}

interface Sheets {
  paper: Paper
  frame: Frame
}

function paperOf(content: RecordContent, total: number | null): Sheets {
  const words = wordsOf(content.locale, content.zone)
  const { clock, t } = words
  const frame = {
    head: headOf(content),
    foot: `Isotherm · ${content.key} · ${clock.minute(content.issuedAt)}`,
    total,
  }
  const title = t('record.title', { name: content.record.name })
  return { paper: openPaper(words, { title, author: content.company, locale: content.locale }, frame), frame }
}

/** The header of every page: company, record and device. */
const headOf = ({ company, record }: RecordContent, device?: ReportContent) =>
  [company, record.name, device?.device.name].filter(Boolean).join(' · ')

function begin(paper: Paper, content: RecordContent, digest: AboutRecord['digest']) {
  paper.newPage()
  recordCover(paper, content, digest)
}

/** A device on pages of its own. */
function layOut({ paper, frame }: Sheets, content: RecordContent, device: ReportContent, ground: Ground | null) {
  frame.head = headOf(content, device)
  paper.newPage()
  const { name, tag, type } = device.device
  paper.doc.font('strong').fontSize(14).fillColor(ink).text(name, sheet.left, paper.y, { width: textWidth })
  paper.y = paper.doc.y + 2
  paper.doc.font('text').fontSize(8).fillColor(dim)
  paper.doc.text([tag, type].filter(Boolean).join(' · '), sheet.left, paper.y, { width: textWidth })
  paper.y = paper.doc.y
  printLimits(paper, device)
  printStats(paper, device)
  charts(paper, device)
  mapSketch(paper, device, ground)
  excursionTable(paper, device)
}
