import type { Locale } from '@isotherm/contract/common.ts'
import { type BulkRow, bulkColumns } from '@isotherm/contract/device-bulk.ts'

/** A file's text. Spreadsheets that save no UTF-8 save the Western code page. */
export function textOf(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

const example: Partial<Record<(typeof bulkColumns)[number], string>> = {
  imei: '490154203237518',
  claimCode: 'XXXX-XXXX-XXXX',
  licenceKey: 'ISO-XXXX-XXXX-XXXX-XXXX',
  name: 'Van 3',
  tag: 'Lagos',
  intervalS: '600',
  visibility: 'public',
  temperatureMinC: '2',
  temperatureMaxC: '8',
  probe: '1',
  groups: '',
}

/** The new secrets, by IMEI, of hardware that another company had before. */
export function secretsOf(rows: readonly Pick<BulkRow, 'imei' | 'newSecret'>[]): Map<string, string> {
  return new Map(rows.flatMap(({ imei, newSecret }) => (newSecret ? [[imei, newSecret] as const] : [])))
}

/** Those as a file to keep. */
export const secretsFile = (secrets: ReadonlyMap<string, string>): Blob =>
  new Blob(['imei,secret\r\n', ...[...secrets].map(([imei, secret]) => `${imei},${secret}\r\n`)], {
    type: 'text/csv;charset=utf-8',
  })

/** The columns and a row to overwrite. Where the comma is the decimal sign, spreadsheets open semicolons. */
export function templateOf(locale: Locale): Blob {
  const separator = locale === 'fr' || locale === 'es' ? ';' : ','
  const lines = [bulkColumns, bulkColumns.map((column) => example[column] ?? '')]
  const text = lines.map((line) => `${line.join(separator)}\r\n`).join('')
  return new Blob(['\ufeff', text], { type: 'text/csv;charset=utf-8' })
}
