import { defused } from '@isotherm/contract/spreadsheet-text.ts'

export type Cell = string | number | null | undefined

const written = (value: Cell): string => {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number') return String(value)
  return `"${defused(value).replaceAll('"', '""')}"`
}

/** RFC 4180: a line per row, every text quoted and none a formula, numbers as machines read them. */
export const csvOf = (rows: readonly (readonly Cell[])[]): string =>
  rows.map((row) => `${row.map(written).join(',')}\r\n`).join('')
