import { becauseOf } from '../../../reporting/because.ts'
import { factTable } from '../../../reporting/facts.ts'
import type { Digest } from '../../../reporting/layout.ts'
import {
  dim,
  heading,
  ink,
  type Paper,
  paragraph,
  sheet,
  tabular,
  textWidth,
  tones,
  wash,
} from '../../../reporting/paper.ts'
import { isPrinted, verdictTone } from '../../../reporting/stats-rows.ts'
import { printTitle } from '../../../reporting/title.ts'
import type { ReportContent } from '../content.ts'
import { factRows } from './fact-rows.ts'

/** The cover: company, device, period, and the results. */
export function cover(paper: Paper, content: ReportContent, digest: Digest) {
  const { company, device, verifyUrl } = content
  printTitle(paper, { title: device.name, subtitle: paper.words.t('subtitle', { company }), verifyUrl })
  if (device.sampleUntil) paragraph(paper, paper.words.t('sampleText'))
  printVerdicts(paper, content)
  printFacts(paper, content, digest)
}

function printVerdicts(paper: Paper, content: ReportContent) {
  const { doc, words } = paper
  for (const measure of ['temperature', 'humidity'] as const) {
    if (!isPrinted(content, measure)) continue
    const stats = content.stats[measure]
    const color = tones[verdictTone[stats.verdict]]
    doc.rect(sheet.left, paper.y, textWidth, 34).fill(wash)
    doc.rect(sheet.left, paper.y, 4, 34).fill(color)
    doc
      .font('text')
      .fontSize(8)
      .fillColor(dim)
      .text(words.t(measure), sheet.left + 14, paper.y + 12)
    const head = words.t(`verdict.${stats.verdict}`)
    doc
      .font('strong')
      .fontSize(12)
      .fillColor(color)
      .text(head, sheet.left + 92, paper.y + 9.5, { lineBreak: false })
    const left = sheet.left + 92 + doc.widthOfString(head) + 14
    doc.font('text').fontSize(8).fillColor(ink)
    doc.text(becauseOf(words, stats), left, paper.y + 7, {
      width: sheet.width - sheet.right - left - 8,
      height: 24,
      features: tabular,
    })
    paper.y += 38
  }
  paper.y += 2
}

function printFacts(paper: Paper, content: ReportContent, digest: Digest) {
  const { t } = paper.words
  heading(paper, t('about'))
  factTable(paper, factRows(paper.words, content, digest))
  paragraph(paper, t('hashNote'), { size: 7 })
}
