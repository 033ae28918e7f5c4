import type { Locale } from '@isotherm/contract/common.ts'
import { bulkColumns } from '@isotherm/contract/device-bulk.ts'

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

/** The columns and a row to overwrite. Where the comma is the decimal sign, spreadsheets open semicolons. */
export function templateOf(locale: Locale): Blob {
  const separator = locale === 'fr' || locale === 'es' ? ';' : ','
  const lines = [bulkColumns, bulkColumns.map((column) => example[column] ?? '')]
  const text = lines.map((line) => `${line.join(separator)}\r\n`).join('')
  return new Blob(['\ufeff', text], { type: 'text/csv;charset=utf-8' })
}
