import type { Locale } from '@isotherm/contract/common.ts'
import { type BulkRow, bulkColumns } from '@isotherm/contract/device-bulk.ts'
import { csvTemplate } from '../../lib/csv-template.ts'

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

/** The columns and a row to overwrite. */
export const templateOf = (locale: Locale): Blob => csvTemplate(bulkColumns, example, locale)
