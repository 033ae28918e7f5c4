/** A quotation mark that is not closed, or stands within a cell; `line` counts from 1. */
export class CsvBroken extends Error {
  readonly line: number
  constructor(line: number) {
    super(`a quotation mark near line ${line} is wrong`)
    this.line = line
  }
}

/** A record, counted from 1, with more cells than are taken. */
export class CsvTooWide extends Error {
  readonly record: number
  constructor(record: number) {
    super(`record ${record} has too many cells`)
    this.record = record
  }
}

const delimiters = [',', ';', '\t'] as const
export type Delimiter = (typeof delimiters)[number]

/** The mark that parts the headings: where commas are decimal signs spreadsheets write semicolons, and in their "Unicode text" tabs. */
function delimiterOf(text: string): Delimiter {
  const [header = ''] = text.replace(/"[^"]*"/g, '').split(/\r?\n|\r/, 1)
  const counts = delimiters.map((mark) => header.split(mark).length)
  return delimiters[counts.indexOf(Math.max(...counts))] ?? ','
}

/** A file's records, and the mark between its cells. `linesBefore`: of Excel, where it names the mark in a line of its own. */
export function delimited(text: string): { body: string; delimiter: Delimiter; linesBefore: number } {
  const told = /^\ufeff?sep=([,;\t])\r?\n/i.exec(text)
  const body = told ? text.slice(told[0].length) : text
  return { body, delimiter: (told?.[1] as Delimiter | undefined) ?? delimiterOf(body), linesBefore: told ? 1 : 0 }
}

const quote = 0x22
const newline = 0x0a
const carriageReturn = 0x0d

/**
 * The records of a CSV (RFC 4180), one by one; any line end, white space around cells left out, a byte order mark too. A megabyte
 * takes milliseconds, however many cells it has: it is read within a request. Throws CsvBroken and CsvTooWide.
 */
export function* csvRecords(text: string, delimiter: Delimiter, maxCells: number): Generator<string[]> {
  const comma = delimiter.charCodeAt(0)
  let at = text.charCodeAt(0) === 0xfeff ? 1 : 0
  let line = 1
  let record = 0
  const isEnd = (code: number) => code === newline || code === carriageReturn || Number.isNaN(code)
  const skipSpace = () => {
    while (isSpace(text.charCodeAt(at)) && text.charCodeAt(at) !== comma) at++
  }
  const quoted = (): string => {
    let value = ''
    for (;;) {
      const close = text.indexOf('"', at + 1)
      if (close < 0) throw new CsvBroken(line)
      value += text.slice(at + 1, close)
      at = close + 1
      if (text.charCodeAt(at) !== quote) break
      value += '"'
    }
    skipSpace()
    const code = text.charCodeAt(at)
    if (code !== comma && !isEnd(code)) throw new CsvBroken(line)
    for (let next = value.indexOf('\n'); next >= 0; next = value.indexOf('\n', next + 1)) line++
    return value
  }
  const plain = (): string => {
    const from = at
    for (; ; at++) {
      const code = text.charCodeAt(at)
      if (code === comma || isEnd(code)) return text.slice(from, at).trimEnd()
      if (code === quote) throw new CsvBroken(line)
    }
  }
  while (at < text.length) {
    const cells: string[] = []
    record++
    for (;;) {
      skipSpace()
      cells.push(text.charCodeAt(at) === quote ? quoted() : plain())
      if (cells.length > maxCells) throw new CsvTooWide(record)
      if (text.charCodeAt(at) !== comma) break
      at++
    }
    at += text.startsWith('\r\n', at) ? 2 : 1
    line++
    yield cells
  }
}

// Space, tab, form feed, no-break space.
const isSpace = (code: number) => code === 0x20 || code === 0x09 || code === 0x0c || code === 0xa0
