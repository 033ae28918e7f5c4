import {
  dim,
  heading,
  ink,
  line,
  type Paper,
  paragraph,
  sheet,
  tabular,
  textWidth,
  tones,
} from '../../reporting/paper.ts'
import { niceSteps, timeSteps } from '../../reporting/ticks.ts'
import type { RecordContent } from './record-content.ts'

const height = 150
const axis = 40
const hourMs = 3_600_000

/** The warmest probe of every hour with the temperatures of the schedule; an hour without a reading is a break. */
export function printWarmest(paper: Paper, { treatment, zone }: RecordContent, title: string): void {
  const { doc, words } = paper
  const points = treatment.hours.map(({ at, celsius }) => ({ at: Date.parse(at), celsius }))
  const [first, last] = [points[0], points.at(-1)]
  if (!first || !last || last.at <= first.at) return
  const limits = treatment.protocol.rows.map(({ maxC }) => maxC)
  heading(paper, title, height + 40)
  const all = [...points.map(({ celsius }) => celsius), ...limits]
  const steps = niceSteps(Math.min(...all), Math.max(...all))
  const box = { left: sheet.left + axis, top: paper.y + 4, width: textWidth - axis }
  const x = (at: number) => box.left + ((at - first.at) / (last.at - first.at)) * box.width
  const y = (value: number) => box.top + height - ((value - steps.low) / (steps.high - steps.low)) * height
  doc.font('text').fontSize(7)
  for (const value of steps.values) {
    doc
      .moveTo(box.left, y(value))
      .lineTo(box.left + box.width, y(value))
      .lineWidth(0.4)
      .strokeColor(line)
      .stroke()
    const text = `${words.number(value, steps.decimals)} °C`
    doc.fillColor(dim).text(text, sheet.left - 6, y(value) - 4, { width: axis, align: 'right', features: tabular })
  }
  for (const { at, text } of timeSteps(words, first.at, last.at)) {
    const left = Math.min(Math.max(x(at) - 30, box.left - 20), box.left + box.width - 50)
    doc.fillColor(dim).text(text, left, box.top + height + 6, { width: 60, align: 'center' })
  }
  let before: number | null = null
  for (const { at, celsius } of points) {
    if (before !== null && at - before <= hourMs) doc.lineTo(x(at), y(celsius))
    else doc.moveTo(x(at), y(celsius))
    before = at
  }
  doc.lineWidth(0.9).lineJoin('round').strokeColor(ink).stroke()
  for (const limit of limits) {
    doc
      .moveTo(box.left, y(limit))
      .lineTo(box.left + box.width, y(limit))
      .lineWidth(0.8)
      .dash(4, { space: 2.5 })
    doc.strokeColor(tones.warm).stroke().undash()
  }
  paper.y = box.top + height + 24
  paragraph(paper, zone, { size: 7 })
}
