/** A spreadsheet takes =, +, -, @ and tab at the start of a text for a formula: an apostrophe defuses it. */
const defused = (text: string) => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text)

export type Cell = string | number | null | undefined

const written = (value: Cell): string => {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number') return String(value)
  const text = defused(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** RFC 4180: a line per row, numbers as machines read them. */
export const csvOf = (rows: readonly (readonly Cell[])[]): string =>
  rows.map((row) => `${row.map(written).join(',')}\r\n`).join('')
