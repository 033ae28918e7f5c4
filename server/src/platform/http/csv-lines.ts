import { defused } from '@isotherm/contract/spreadsheet-text.ts'
import { stringify } from 'csv-stringify/sync'

/** Before a file of UTF-8: without it Excel reads it as something else. */
export const byteOrderMark = '\ufeff'

/**
 * Lines of a CSV (RFC 4180): every text quoted and none a formula, numbers with a point, instants in ISO 8601 (UTC), yes and no,
 * nothing for null.
 */
export const csvLines = (rows: readonly (readonly unknown[])[]): string =>
  stringify(
    rows.map((row) => row.map((cell) => (typeof cell === 'string' ? defused(cell) : cell))),
    {
      quoted_string: true,
      record_delimiter: 'windows',
      cast: {
        number: String,
        boolean: (value) => (value ? 'yes' : 'no'),
        date: (value) => value.toISOString(),
      },
    },
  )
