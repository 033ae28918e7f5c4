import type { Locale } from '@isotherm/contract/common.ts'

/** The columns and a row to overwrite, as a file. Where the comma is the decimal sign, spreadsheets open semicolons. */
export function csvTemplate<C extends string>(
  columns: readonly C[],
  example: Partial<Record<C, string>>,
  locale: Locale,
) {
  const separator = locale === 'fr' || locale === 'es' ? ';' : ','
  const lines = [columns, columns.map((column) => example[column] ?? '')]
  const text = lines.map((line) => `${line.join(separator)}\r\n`).join('')
  return new Blob(['\ufeff', text], { type: 'text/csv;charset=utf-8' })
}
