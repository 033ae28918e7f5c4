import type { BulkFault, BulkUpload } from '@isotherm/contract/bulk-uploads.ts'
import type { BulkKind } from '../../core/bulk/bulk-kind.ts'
import type { KeptFault } from '../../core/bulk/bulk-rules.ts'
import { headingOf } from '../../core/bulk/headings.ts'
import type { Context } from '../../platform/context.ts'
import { translate } from '../../platform/i18n/i18n.ts'
import { storedBefore, type UploadRow } from './upload-queries.ts'

/** An upload as its reader sees it, faults in their language. */
export async function presentUpload(
  ctx: Context,
  row: UploadRow,
  { showNumber }: Pick<BulkKind, 'showNumber'>,
): Promise<BulkUpload> {
  const named = (number: number | null) => (number === null ? null : showNumber(number))
  return {
    ...{ id: row.id, fileName: row.file_name, sha256: row.sha256.toString('hex'), isDryRun: row.is_dry_run },
    ...{ state: row.state, progress: row.progress, rows: row.rows, makes: row.makes, errorCount: row.error_count },
    errors: row.errors.map((fault) => presentFault(ctx, row, fault)),
    hasMarkedBook: row.marked_key !== null,
    source: row.source,
    ...previewOf(ctx, row),
    storedBefore: (await storedBefore(ctx, row))?.toISOString() ?? null,
    ...{ first: named(row.first_number), last: named(row.last_number) },
    createdAt: row.created_at.toISOString(),
    settledAt: row.settled_at?.toISOString() ?? null,
  }
}

/** A preview and its warnings; those of before say nothing of the cells, or have none. */
function previewOf(ctx: Context, row: UploadRow): Pick<BulkUpload, 'preview' | 'warnings' | 'warningCount'> {
  const { headings, rows, inFile = [], warnings = [], warningCount = 0 } = row.preview ?? {}
  return {
    preview: headings && rows ? { headings, rows, inFile } : null,
    ...{ warnings: warnings.map((fault) => presentFault(ctx, row, fault)), warningCount },
  }
}

const presentFault = (
  { locale }: Context,
  { kind }: UploadRow,
  { row, column, message, value }: KeptFault,
): BulkFault => ({
  ...{ row, column, value, heading: headingOf(locale, kind, column) },
  code: message.key.split('.').at(-1) ?? message.key,
  message: translate(locale, `errors:${message.key}`, message.values),
})
