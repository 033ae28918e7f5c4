import type { Layout } from '../../reporting/layout.ts'
import { dim, ink, type Paper, sheet, textWidth } from '../../reporting/paper.ts'
import { judgeBy } from '../../reporting/readings.ts'
import { printIntervals, printLimits, printStats } from '../../reporting/stats-tables.ts'
import type { ReportContent } from './content.ts'
import { measuredOf } from './measured.ts'
import { printChosen } from './pdf/chosen.ts'
import { type Ground, groundOf } from './pdf/map-sketch.ts'
import { recordCover } from './pdf/record-cover.ts'
import type { RecordContent } from './record-content.ts'

/** The report of a record: its cover, then each of its devices with the chosen contents. */
export const layout: Layout<RecordContent> = {
  data: (content) => ({ evidence: evidenceOf(content), devices: content.devices.map(measuredOf) }),
  async pdf({ content, digest, words, rows }) {
    const { company, record } = content
    // A record of a sample device has no other.
    const isSample = content.devices.some(({ device }) => device.sampleUntil)
    const head = [...(isSample ? [words.t('sampleHead')] : []), company, record.name].join(' · ')
    const sections = []
    for (const device of content.devices) {
      const ground = content.contents.includes('charts') ? await groundOf(device) : null
      sections.push({
        head: `${head} · ${device.device.name}`,
        print: (paper: Paper) => printDevice(paper, device, ground),
        ...(content.contents.includes('readings') && {
          readings: {
            count: digest.byDevice.get(device.deviceId) ?? 0,
            judge: judgeBy(device.rules),
            rows: rows(measuredOf(device)),
          },
        }),
      })
    }
    return {
      title: words.t('record.title', { name: record.name }),
      head,
      sections: [{ print: (paper) => recordCover(paper, content, digest) }, ...sections],
    }
  },
}

/** The evidence about the record itself: nothing that differs between two issues of the same. */
function evidenceOf({ record, verdict }: RecordContent) {
  const { id, name, lot, startAt, endAt, endedBy, budget, notes, attachments, signatures } = record
  return { id, name, lot, startAt, endAt, endedBy, budget, notes, attachments, signatures, verdict }
}

function printDevice(paper: Paper, device: ReportContent, ground: Ground | null) {
  const { name, tag, type } = device.device
  paper.doc.font('strong').fontSize(14).fillColor(ink).text(name, sheet.left, paper.y, { width: textWidth })
  paper.y = paper.doc.y + 2
  paper.doc.font('text').fontSize(8).fillColor(dim)
  paper.doc.text([tag, type].filter(Boolean).join(' · '), sheet.left, paper.y, { width: textWidth })
  paper.y = paper.doc.y
  if (device.contents.includes('stats')) {
    printLimits(paper, device)
    printIntervals(paper, device)
    printStats(paper, device)
  }
  printChosen(paper, device, ground)
}
