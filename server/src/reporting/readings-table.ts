import { type Doc, dim, ink, line, type Paper, sheet, textWidth, tones, wash } from './paper.ts'
import type { Judge, Row } from './readings.ts'
import type { Words } from './words.ts'

const top = sheet.top
const headHeight = 20
const rowHeight = 10.4
/** Readings on a page: how many pages there will be is known before they are read. */
export const rowsPerPage = Math.floor((sheet.height - sheet.bottom - top - headHeight) / rowHeight)

const columns = [
  { name: 'time', width: 122, align: 'left' },
  { name: 'temperature', width: 66, align: 'right' },
  { name: 'humidity', width: 56, align: 'right' },
  { name: 'battery', width: 46, align: 'right' },
  { name: 'light', width: 50, align: 'right' },
  { name: 'position', width: 96, align: 'right' },
  { name: 'outside', width: 0, align: 'left' },
] as const
const pad = 3.5

/** The readings, a line each, those out of their limits marked in words, colour and weight. */
export function readingsTable(paper: Paper, judge: Judge) {
  const { doc, words } = paper
  let place = rowsPerPage
  // The built-in face: its digits are of one width, and it takes a tenth of the memory of an embedded one.
  const cells = cellsOf(words)
  return {
    add(rows: readonly Row[]) {
      for (const row of rows) {
        if (place === rowsPerPage) {
          paper.newPage()
          printHead(paper)
          place = 0
        }
        const outside = outsideOf(words, {
          temperature: judge('temperature', row.temperature, row.at),
          humidity: judge('humidity', row.humidity, row.at),
        })
        printRow(doc, top + headHeight + place * rowHeight, [...cells(row), outside.text], outside.color, place)
        place += 1
      }
    },
  }
}

type Judged = 'inRange' | 'above' | 'below' | null
const isOut = (judged: Judged): judged is 'above' | 'below' => judged === 'above' || judged === 'below'

function outsideOf({ t }: Words, judged: { temperature: Judged; humidity: Judged }) {
  const parts: string[] = []
  for (const measure of ['temperature', 'humidity'] as const) {
    const side = judged[measure]
    if (isOut(side)) parts.push(t(`table.${measure}.${side}`))
  }
  const first = isOut(judged.temperature) ? judged.temperature : judged.humidity
  const color = parts.length === 0 ? null : first === 'below' ? tones.cold : tones.warm
  return { text: parts.join(', '), color }
}

function cellsOf({ clock, number }: Words) {
  // The built-in face has no minus sign but the hyphen.
  const plain = (value: number, decimals: number) => number(value, decimals).replace('\u2212', '-')
  const hundredths = (value: number | null) => (value === null ? '\u2013' : plain(value / 100, 2))
  const whole = (value: number | null) => (value === null ? '\u2013' : plain(value, 0))
  return (row: Row): string[] => [
    `${clock.second(row.at)} ${clock.offset(row.at)}`,
    hundredths(row.temperature),
    hundredths(row.humidity),
    whole(row.battery),
    whole(row.light),
    row.lat === null || row.lon === null ? '\u2013' : `${(row.lat / 1e7).toFixed(5)}, ${(row.lon / 1e7).toFixed(5)}`,
  ]
}

const widthOf = (index: number) =>
  columns[index]?.width || textWidth - columns.reduce((sum, column) => sum + column.width, 0)

function printHead({ doc, words }: Paper) {
  doc.rect(sheet.left, top, textWidth, headHeight - 3).fill(wash)
  doc.font('strong').fontSize(7).fillColor(dim)
  let x = sheet.left
  columns.forEach(({ name, align }, index) => {
    const width = widthOf(index)
    doc.text(words.t(`table.${name}.title`), x + pad, top + 5, {
      width: width - 2 * pad,
      align,
      height: 9,
      ellipsis: true,
    })
    x += width
  })
}

function printRow(doc: Doc, y: number, cells: readonly string[], color: string | null, index: number) {
  if (color) doc.rect(sheet.left, y - 2.5, textWidth, rowHeight).fill(color === tones.cold ? '#e9f0fd' : '#fdecec')
  doc
    .font(color ? 'Helvetica-Bold' : 'Helvetica')
    .fontSize(7.4)
    .fillColor(color ?? ink)
  let x = sheet.left
  cells.forEach((text, column) => {
    const width = widthOf(column)
    if (text) {
      const left = columns[column]?.align === 'right' ? x + width - pad - doc.widthOfString(text) : x + pad
      doc.text(text, left, y, { lineBreak: false })
    }
    x += width
  })
  if (index % 5 !== 4) return
  const below = y + rowHeight - 2.5
  doc
    .moveTo(sheet.left, below)
    .lineTo(sheet.left + textWidth, below)
    .lineWidth(0.3)
    .strokeColor(line)
    .stroke()
}
