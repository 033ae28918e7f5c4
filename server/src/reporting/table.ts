import {
  dim,
  heading,
  ink,
  line,
  lowest,
  type Paper,
  paragraph,
  paragraphHeight,
  partedAt,
  sheet,
  tabular,
  textWidth,
  wash,
} from './paper.ts'

export interface Column {
  title: string
  width: number
  align?: 'left' | 'right'
}
export interface Field {
  text: string
  color?: string
  strong?: boolean
}

const pad = 4
/** The least that must follow the head of a table on its page. */
const belowHead = 30
/** The room below a table. */
const afterTable = 6

/** Columns that share the width of the text. */
export function shares(titles: readonly string[], parts: readonly number[]): Column[] {
  const all = parts.reduce((sum, part) => sum + part, 0)
  return titles.map((title, index) => ({ title, width: (textWidth * (parts[index] ?? 1)) / all }))
}

/** The height of a table, with its head if it has one, and the room below it. */
const tableHeight = (paper: Paper, columns: readonly Column[], rows: readonly (readonly Field[])[]): number =>
  headHeight(paper, columns) + rows.reduce((sum, row) => sum + heightOf(paper, columns, row), 0) + afterTable

/** The most of a page that may stay empty before a table that would go over to the next one. */
const mayStayEmpty = (lowest - sheet.top) / 3

/** A table that goes on has at least as many rows on its last page. */
const fewestLeft = 4

/**
 * A heading with its table, which begins a new page rather than go on there, unless much of the page would be empty. `closing`: a sentence
 * that is never alone on a page.
 */
export function keptTable(
  paper: Paper,
  title: string,
  columns: readonly Column[],
  rows: readonly (readonly Field[])[],
  closing = '',
) {
  const below = closing ? paragraphHeight(paper, closing) : 0
  const height = Math.max(tableHeight(paper, columns, rows), headHeight(paper, columns) + belowHead) + below
  heading(paper, title, height < mayStayEmpty ? height : undefined)
  printHead(paper, columns)
  let left = rows.reduce((sum, row) => sum + heightOf(paper, columns, row), below && afterTable + below)
  rows.forEach((cells, index) => {
    left -= heightOf(paper, columns, cells)
    const isLast = index === rows.length - 1
    const isNearEnd = index > 0 && index >= rows.length - fewestLeft && left < mayStayEmpty
    addRow(paper, columns, cells, isLast || isNearEnd ? left : 0)
  })
  paper.y += afterTable
  if (closing) paragraph(paper, closing)
}

/** A heading with its table: the first row stands on the page of both. */
export function headedTable(
  paper: Paper,
  title: string,
  columns: readonly Column[],
  rows: Iterable<readonly (string | Field)[]>,
) {
  const left = rows[Symbol.iterator]()
  const first = left.next()
  const below = first.done ? belowHead : Math.max(belowHead, heightOf(paper, columns, fieldsOf(first.value)))
  heading(paper, title, headHeight(paper, columns) + below)
  printHead(paper, columns)
  for (let row = first; !row.done; row = left.next()) addRow(paper, columns, fieldsOf(row.value))
  paper.y += afterTable
}

const fieldsOf = (row: readonly (string | Field)[]): Field[] =>
  row.map((cell) => (typeof cell === 'string' ? { text: cell } : cell))

/** A table whose cells wrap; its head, if it has one, stands again on every page it goes on. */
export function table(paper: Paper, columns: readonly Column[], rows: Iterable<readonly (string | Field)[]>) {
  printHead(paper, columns)
  for (const row of rows) addRow(paper, columns, fieldsOf(row))
  paper.y += afterTable
}

/** A row, on a new page where it does not fit with what must follow it; one that no page holds goes on from page to page. */
function addRow(paper: Paper, columns: readonly Column[], cells: readonly Field[], below = 0) {
  const height = heightOf(paper, columns, cells)
  if (paper.y + height + below > lowest) {
    paper.newPage()
    printHead(paper, columns)
  }
  const most = lowest - paper.y
  if (height <= most) return printRow(paper, columns, cells, height)
  const parts = cells.map((cell, index) => {
    setFont(paper, cell)
    const [text, rest] = partedAt(paper.doc, cell.text, optionsOf(columns[index]), most - belowText)
    return { here: { ...cell, text }, next: { ...cell, text: rest } }
  })
  const here = parts.map((part) => part.here)
  printRow(paper, columns, here, heightOf(paper, columns, here))
  addRow(
    paper,
    columns,
    parts.map((part) => part.next),
    below,
  )
}

const belowText = 5
const setFont = ({ doc }: Paper, { strong }: Field) => doc.font(strong ? 'strong' : 'text').fontSize(8)
const optionsOf = (column?: Column) => ({ width: (column?.width ?? 0) - 2 * pad, features: tabular })

function heightOf(paper: Paper, columns: readonly Column[], cells: readonly Field[]): number {
  const heights = cells.map((cell, index) => {
    setFont(paper, cell)
    return paper.doc.heightOfString(cell.text, optionsOf(columns[index]))
  })
  return Math.max(10, ...heights) + belowText
}

function headHeight({ doc }: Paper, columns: readonly Column[]): number {
  if (columns.every(({ title }) => title === '')) return 0
  doc.font('strong').fontSize(7.5)
  const texts = columns.map(({ title, width: own }) => doc.heightOfString(title, { width: own - 2 * pad }))
  return Math.max(9, ...texts) + 7
}

function printHead(paper: Paper, columns: readonly Column[]) {
  const height = headHeight(paper, columns)
  if (height === 0) return
  const { doc } = paper
  const width = columns.reduce((sum, column) => sum + column.width, 0)
  paper.room(height + belowHead)
  doc.font('strong').fontSize(7.5)
  doc.rect(sheet.left, paper.y, width, height).fill(wash)
  doc.fillColor(dim)
  let x = sheet.left
  for (const { title, width: own, align = 'left' } of columns) {
    doc.text(title, x + pad, paper.y + 4, { width: own - 2 * pad, align })
    x += own
  }
  paper.y += height
}

function printRow(paper: Paper, columns: readonly Column[], cells: readonly Field[], height: number) {
  const { doc } = paper
  let x = sheet.left
  cells.forEach(({ text, color = ink, strong }, index) => {
    const { width = 0, align = 'left' } = columns[index] ?? {}
    doc
      .font(strong ? 'strong' : 'text')
      .fontSize(8)
      .fillColor(color)
    doc.text(text, x + pad, paper.y + 3, { width: width - 2 * pad, align, features: tabular })
    x += width
  })
  doc
    .moveTo(sheet.left, paper.y + height)
    .lineTo(x, paper.y + height)
    .lineWidth(0.4)
    .strokeColor(line)
    .stroke()
  paper.y += height
}
