import type { Chart } from '@isotherm/contract/device-history.ts'
import type { DeviceReportData } from './device-report-data.ts'
import { type Doc, dim, heading, ink, line, type Paper, paragraph, sheet, tabular, textWidth, tones } from './paper.ts'
import { isPrinted } from './stats-rows.ts'
import { niceSteps, timeSteps } from './ticks.ts'

/** The data of a chart. */
export type ReportChartData = Pick<
  DeviceReportData,
  'chart' | 'period' | 'excursions' | 'until' | 'zone' | 'limits'
> & {
  stats: { humidity: { count: number } }
}

const height = 168
const axis = 40

/** The course of each measure with its limits, excursions shaded, silence as a break. */
export function charts(paper: Paper, content: ReportChartData) {
  for (const measure of ['temperature', 'humidity'] as const) {
    if (!isPrinted(content, measure)) continue
    const { t, duration } = paper.words
    heading(paper, t(`chart.${measure}`), height + 40)
    const drawn = draw(paper, content, measure)
    const bucket = content.chart.bucketS
    if (!drawn) continue
    paragraph(
      paper,
      t(bucket > 0 ? 'chart.buckets' : 'chart.each', { bucket: duration(bucket * 1000), zone: content.zone }),
      { size: 7 },
    )
  }
}

type Measure = 'temperature' | 'humidity'
type Limit = number | null
const limitsOf = (chart: Chart, measure: Measure): { from: number; to: number; min: Limit; max: Limit }[] =>
  chart.limits.map((band) => ({
    from: Date.parse(band.from),
    to: Date.parse(band.to),
    min: measure === 'temperature' ? band.temperatureMinC : band.humidityMinPct,
    max: measure === 'temperature' ? band.temperatureMaxC : band.humidityMaxPct,
  }))

interface Scale {
  x(at: number): number
  y(value: number): number
}

function draw(paper: Paper, content: ReportChartData, measure: Measure): boolean {
  const { doc, words } = paper
  const { chart } = content
  const from = Date.parse(content.period.from)
  const to = Date.parse(content.period.to)
  const range = chart[measure]
  const known = [...range.min, ...range.max].filter((value) => value !== null)
  if (known.length === 0 || to <= from) {
    paragraph(paper, words.t('chart.empty'))
    return false
  }
  const limits = limitsOf(chart, measure)
  const drawnLimits = limits.flatMap(({ min, max }) => [min, max]).filter((value) => value !== null)
  const steps = niceSteps(Math.min(...known, ...drawnLimits), Math.max(...known, ...drawnLimits))
  const box = { left: sheet.left + axis, top: paper.y + 4, width: textWidth - axis, height }
  const scale: Scale = {
    x: (at) => box.left + ((at - from) / (to - from)) * box.width,
    y: (value) => box.top + box.height - ((value - steps.low) / (steps.high - steps.low)) * box.height,
  }
  printAxes(paper, box, scale, steps, { from, to, unit: measure === 'temperature' ? '°C' : '%' })
  doc.save().rect(box.left, box.top, box.width, box.height).clip()
  shadeExcursions(doc, content, measure, box, scale)
  drawSeries(doc, chart, measure, scale)
  for (const band of limits) {
    if (band.max !== null) drawLimit(doc, scale, band, band.max, tones.warm)
    if (band.min !== null) drawLimit(doc, scale, band, band.min, tones.cold)
  }
  doc.restore()
  paper.y += box.height + 26
  return true
}

interface Box {
  left: number
  top: number
  width: number
  height: number
}

function printAxes(
  { doc, words }: Paper,
  box: Box,
  scale: Scale,
  steps: ReturnType<typeof niceSteps>,
  { from, to, unit }: { from: number; to: number; unit: string },
) {
  doc.font('text').fontSize(7)
  for (const value of steps.values) {
    const y = scale.y(value)
    doc
      .moveTo(box.left, y)
      .lineTo(box.left + box.width, y)
      .lineWidth(0.4)
      .strokeColor(line)
      .stroke()
    const text = `${words.number(value, steps.decimals)} ${unit}`
    doc.fillColor(dim).text(text, sheet.left - 6, y - 4, { width: axis, align: 'right', features: tabular })
  }
  for (const { at, text } of timeSteps(words, from, to)) {
    const x = scale.x(at)
    doc
      .moveTo(x, box.top)
      .lineTo(x, box.top + box.height + 3)
      .lineWidth(0.3)
      .strokeColor(line)
      .stroke()
    const left = Math.min(Math.max(x - 30, box.left - 20), box.left + box.width - 50)
    doc.fillColor(dim).text(text, left, box.top + box.height + 6, { width: 60, align: 'center' })
  }
}

function shadeExcursions(doc: Doc, { excursions, until }: ReportChartData, measure: Measure, box: Box, { x }: Scale) {
  for (const one of excursions) {
    if (one.measure !== measure) continue
    const left = x(Date.parse(one.startAt))
    const right = x(
      one.endAt === null ? Math.min(until, Date.parse(one.startAt) + one.durationMs) : Date.parse(one.endAt),
    )
    doc.rect(left, box.top, Math.max(0.8, right - left), box.height).fillOpacity(0.12)
    doc.fill(one.side === 'above' ? tones.warm : tones.cold).fillOpacity(1)
  }
}

function drawLimit(
  doc: Doc,
  { x, y }: Scale,
  { from, to }: { from: number; to: number },
  value: number,
  color: string,
) {
  doc.moveTo(x(from), y(value)).lineTo(x(to), y(value)).lineWidth(0.9).dash(4, { space: 2.5 })
  doc.strokeColor(color).stroke().undash()
}

/** From the lowest to the highest of each bucket a wash, the average a line; a null breaks both. */
function drawSeries(doc: Doc, chart: Chart, measure: Measure, { x, y }: Scale) {
  const { min, avg, max } = chart[measure]
  let run: number[] = []
  const finish = () => {
    const [first] = run
    if (first !== undefined) drawRun(doc, run, first)
    run = []
  }
  const at = (index: number) => x(chart.atMs[index] ?? 0)
  const drawRun = (paper: Doc, places: number[], first: number) => {
    const value = (series: (number | null)[], index: number) => y(series[index] ?? avg[index] ?? 0)
    if (places.length === 1) {
      paper.circle(at(first), y(avg[first] ?? 0), 1).fill(ink)
      return
    }
    if (chart.bucketS > 0) {
      paper.moveTo(at(first), value(max, first))
      for (const place of places.slice(1)) paper.lineTo(at(place), value(max, place))
      for (const place of places.toReversed()) paper.lineTo(at(place), value(min, place))
      paper.closePath().fill('#c3d3d8')
    }
    paper.moveTo(at(first), value(avg, first))
    for (const place of places.slice(1)) paper.lineTo(at(place), value(avg, place))
    paper.lineWidth(0.9).lineJoin('round').strokeColor(ink).stroke()
  }
  for (let index = 0; index < chart.atMs.length; index++) {
    if (avg[index] === null || avg[index] === undefined) finish()
    else run.push(index)
  }
  finish()
}
