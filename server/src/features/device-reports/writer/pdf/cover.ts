import { becauseOf } from '../../../../platform/paper/because.ts'
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
} from '../../../../platform/paper/paper.ts'
import { printQr } from '../../../../platform/paper/qr.ts'
import { isTold, verdictTone } from '../../../../platform/paper/stats-rows.ts'
import { table } from '../../../../platform/paper/table.ts'
import type { ReportContent } from '../../content.ts'
import { factRows } from '../fact-rows.ts'
import type { Digest } from '../readings.ts'

/** Who, what, when, and what it comes to. */
export function cover(paper: Paper, content: ReportContent, digest: Digest) {
  printTitle(paper, content)
  printVerdicts(paper, content)
  printFacts(paper, content, digest)
}

const qrSize = 82

function printTitle(paper: Paper, content: ReportContent) {
  const { doc, words } = paper
  const width = textWidth - qrSize - 20
  doc.font('strong').fontSize(9).fillColor(tones.ok).text('Isotherm', sheet.left, 42)
  doc.font('strong').fontSize(18).fillColor(ink)
  const title = content.device.name
  const height = doc.heightOfString(title, { width })
  doc.text(title, sheet.left, 58, { width })
  doc
    .font('text')
    .fontSize(10)
    .fillColor(dim)
    .text(words.t('subtitle', { company: content.company }), sheet.left, 62 + height, { width })
  const left = sheet.width - sheet.right - qrSize
  printQr(doc, content.verifyUrl, left, 40, qrSize)
  doc.font('text').fontSize(6.5).fillColor(dim)
  doc.text(words.t('scan'), left - 30, 44 + qrSize, { width: qrSize + 30, align: 'right' })
  paper.y = Math.max(62 + height + 22, 44 + qrSize + 22)
}

function printVerdicts(paper: Paper, content: ReportContent) {
  const { doc, words } = paper
  for (const measure of ['temperature', 'humidity'] as const) {
    if (!isTold(content, measure)) continue
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
  const columns = [
    { title: '', width: 120 },
    { title: '', width: textWidth - 120 },
  ]
  table(
    paper,
    columns,
    factRows(paper.words, content, digest).map(([name, value]) => [{ text: name, color: dim }, value]),
  )
  paragraph(paper, t('hashNote'), { size: 7 })
}
