import type { BulkKindName } from '@isotherm/contract/bulk-uploads.ts'
import { type Locale, localeNames } from '@isotherm/contract/common.ts'
import { textsOf, translate } from '../../platform/i18n/i18n.ts'
import type { Headings } from './bulk-rules.ts'
import { faultsColumn } from './read-lines.ts'

const of = (locale: Locale, kind: BulkKindName): Record<string, string> => ({
  ...textsOf(locale, `bulkUploads:columns.${kind}`),
  [faultsColumn]: translate(locale, 'bulkUploads:marked.faults'),
})

/** The headings of files of a kind, in the four languages. */
export const headingsOf = (kind: BulkKindName): Headings =>
  Object.fromEntries(localeNames.map((locale) => [locale, of(locale, kind)])) as Headings

/** The heading of a column for a reader; null where it is none. */
export const headingOf = (locale: Locale, kind: BulkKindName, column: string | null): string | null =>
  column === null ? null : (of(locale, kind)[column] ?? column)
